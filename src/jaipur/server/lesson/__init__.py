"""The guided first round."""
