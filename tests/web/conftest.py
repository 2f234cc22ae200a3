"""A running server for tests of what several clients do at once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture
def address() -> Iterator[str]:
    """The Play room of a real server with a single process to search with: what leaves it, leaves it free."""
    from plywise.web.app import create_app  # these need the extra web, for which a test asks first
    from tests.web.serving import served

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PLYWISE_INTERPRET", "1")
        with served(create_app(workers=1)) as found:
            yield found
