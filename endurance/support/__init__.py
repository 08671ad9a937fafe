"""What programs that play, servers and measurements share; tests use it too."""
