"""Runs the quick tests and the pinned signatures on every supported Python that is installed: ``make nox`` or ``nox``.

Missing versions are skipped with a message.  Each version gets its own environment under ``.nox``.  The first run
installs it; later runs reuse it.  No extras are installed, so this tests the core without them.  One more session tests
clusters with the oldest Dask and the oldest Python.
"""

import nox

nox.options.reuse_venv = "yes"
nox.options.error_on_missing_interpreters = False


@nox.session(python=["3.10", "3.11", "3.12", "3.13"])
def tests(session: nox.Session) -> None:
    """Run the quick tests interpreted, then check the compiled node counts of chess and Connect Four."""
    session.install("--quiet", "--editable", ".[test]")
    session.run("python", "-m", "pytest", "-n", "2", "--quick", "tests", *session.posargs)
    session.run("python", "-m", "pytest", "-n", "2", "tests/engine/test_signature.py", "tests/compiling/test_numba.py")


@nox.session(python="3.10")
def oldest_dask(session: nox.Session) -> None:
    """Test clusters with the oldest Dask that ``pyproject.toml`` allows."""
    session.install("--quiet", "--editable", ".[test,cluster]", "distributed==2025.4.0")
    session.run("python", "-m", "pytest", "-n", "2", "tests/cluster", "tests/cli/test_cluster.py", *session.posargs)
