"""`jaipur bench server --processes`: several server processes, on a PostgreSQL of their own, on a busy machine."""

from jaipur.bench import server


def test_the_measurement_of_several_processes() -> None:
    figures = server.measure(0.5, processes=2, busy=True)
    assert figures["pushes_lost"] == 0
    assert float(str(figures["processor_ms_per_move"])) > 0
    assert float(str(figures["load_processor_ms_per_move"])) > 0
    assert float(str(figures["database_processor_ms_per_move"])) > 0
    assert float(str(figures["move_over_bare_post"])) > 1
