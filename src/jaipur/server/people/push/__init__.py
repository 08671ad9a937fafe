"""Web push: notifies people whose page is closed. Optional, with packages of its own (extra `push`)."""
