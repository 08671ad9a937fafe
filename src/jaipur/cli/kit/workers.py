"""Who plays for a command: processes on this machine, or a cluster."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from jaipur.extras import load
from jaipur.language import _
from jaipur.processes import Workers

ClusterOption = Annotated[
    str,
    typer.Option(
        "--cluster",
        metavar=_("tcp://HOST:8786"),
        help=_("Play on the workers of this Dask scheduler instead of this machine: see docs/cluster.md."),
    ),
]


@contextmanager
def crew(cluster: str, workers: int) -> Iterator[Workers]:
    """The number of processes, or the cluster, connected for as long as it is needed."""
    if not cluster:
        yield workers
        return
    with load("jaipur.cluster", "cluster").Cluster(cluster) as executor:
        yield executor
