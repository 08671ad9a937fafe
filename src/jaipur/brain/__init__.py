"""What a learned player thinks with, compiled: features of a position, the value network, beliefs, learning, search.

Read it in this order: features, network, beliefs, endgame, search, learner; tree is a search without any of them, judge
and luck look back at moves that were played. It is given views and uses only the rules; luck alone needs full rounds.
"""
