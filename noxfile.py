"""The quick tests and the pinned signatures on every supported Python that is installed: ``make nox``, or ``nox``.

A version that is missing is skipped with a message.  Each one gets an environment of its own under ``.nox``, which is
kept: the first run installs, later ones only test.  No extras are installed, so the core must do without them.
"""

import nox

nox.options.reuse_venv = "yes"
nox.options.error_on_missing_interpreters = False


@nox.session(python=["3.10", "3.11", "3.12", "3.13"])
def tests(session: nox.Session) -> None:
    """Quick tests, interpreted; then chess and Connect Four, compiled, must visit what they always do."""
    session.install("--quiet", "--editable", ".[test]")
    session.run("python", "-m", "pytest", "-n", "2", "--quick", "tests", *session.posargs)
    session.run("python", "-m", "pytest", "-n", "2", "tests/engine/test_signature.py", "tests/compiling/test_numba.py")
