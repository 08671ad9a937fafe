"""Programs for people working on the project; `make help` lists what they are for."""
