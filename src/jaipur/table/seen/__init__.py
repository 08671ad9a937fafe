"""What leaves the table room: a table as a seat or an onlooker may see it."""
