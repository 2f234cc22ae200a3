"""Work on many cores and machines (see docs/cluster.md)."""

from plywise.cluster.addresses import connect

__all__ = ["connect"]
