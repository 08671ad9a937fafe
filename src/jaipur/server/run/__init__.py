"""What runs the app: listening, limits of connections, several processes, and the processes that think."""
