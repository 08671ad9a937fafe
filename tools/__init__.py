"""Programs for those who work on the project; `make help` lists what they are for."""
