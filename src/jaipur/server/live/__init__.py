"""What reaches open pages by itself: events, who is there, whose turn it is."""
