"""Web push: calls somebody whose page is closed. An option of the server, with packages of its own (extra `push`)."""
