"""The parts of ``benchmarks/fuzz.py``: nasty values, a sandbox, command lines and parsers."""
