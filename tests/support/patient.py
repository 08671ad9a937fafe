"""`jaipur` with a tutor that has all the time it needs, so that it asks on a busy machine, too."""

from jaipur.cli import main
from jaipur.server.coach import advisor
from tests.support.program import PATIENCE

if __name__ == "__main__":
    advisor._TUTOR_PATIENCE = PATIENCE
    main()
