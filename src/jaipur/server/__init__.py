"""The web app: pages for people, a JSON API for programs, and server-sent events for both."""
