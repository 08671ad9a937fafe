"""What was good or bad in a round, and why: luck and skill told apart, hints, the tutor. Docs: docs/coach.md.

Read it in this order: reasons, grades, figures, luck, review, summary, advice, words, page.
Decisions are judged from the mover's view alone; luck is counted from the full rounds of a match that is over.
"""
