"""What ``benchmarks/fuzz.py`` is made of: nasty values, a box to run things in, command lines, parsers."""
