"""The network's probabilities are true."""

import pytest
from librt.vecs import vec

from jaipur.arena.calibration import correction, measure
from jaipur.bots.weights import SHIPPED, shipped_network
from jaipur.brain.network import Network

pytestmark = pytest.mark.slow

ENOUGH = 1000


@pytest.mark.parametrize("level", SHIPPED)
def test_a_shipped_network_is_calibrated(level: str) -> None:
    """In each tenth with enough cases, prediction and result differ by less than 0.03."""
    *_before, tenths = measure(shipped_network(level), 4000, 11)
    for tenth in tenths:
        if tenth.cases >= ENOUGH:
            assert abs(tenth.predicted - tenth.seen) < 0.03


def test_a_network_that_is_too_sure_is_corrected() -> None:
    shipped = shipped_network("merchant")
    too_sure = Network(vec[float]([2 * weight for weight in shipped.output]))
    too_sure.rows = shipped.rows
    factor, shift = correction(too_sure, 400, 1)
    assert 0.4 < factor < 0.65
    assert abs(shift) < 0.3
