"""What was good or bad in a round, and why: luck and skill told apart, hints, the tutor. Docs: docs/coach.md.

Read it in this order: outcomes, grades, figures, round_luck, review, summary, advice, coach_words, page.
Decisions are judged from the mover's view alone; luck is counted from the full rounds of a match that is over.
"""
