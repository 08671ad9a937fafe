"""For operators: health, figures, housekeeping."""
