"""The game as numbers for learning programs, compiled: actions, observations, and many rounds at once.

Read it in this order: actions, observation, vector. It uses the rules, and of the brain only the features, which
learners may ask for as rows.
"""
