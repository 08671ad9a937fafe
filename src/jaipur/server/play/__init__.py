"""Playing: the table as pages, forms and API, new games, clocks."""
