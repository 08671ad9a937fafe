"""The coach in the browser: hints, reviews, exercises, analysis."""
