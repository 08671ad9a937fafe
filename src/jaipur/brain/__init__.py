"""What a learned player thinks with, compiled: features of a position, value network, beliefs, learning, search.

Read it in this order: features, network, beliefs, endgame, search, learner. tree is a search that uses none of them;
judge and luck look back at moves already played. The room is given views and uses only the rules; luck alone needs
full rounds.
"""
