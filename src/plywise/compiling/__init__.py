"""How plain Python becomes machine code and is found again on disk.

``native`` says what compiled code can hold, ``bridge`` teaches Numba to hold it, ``fingerprint`` and ``cache`` find
machine code that is still valid, ``reading`` chooses between compiled and interpreted, and ``diagnose`` says in plain
words why something did not compile.  Nothing here knows a game or a search.
"""
