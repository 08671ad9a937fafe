"""The game as numbers for learning programs, compiled: actions, observations, many rounds at once.

Read it in this order: actions, observation, vector. It uses the rules, and from the brain only its features, which
learners may ask for as rows.
"""
