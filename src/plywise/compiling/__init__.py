"""Compile plain Python to machine code and cache it on disk.

``native`` defines what compiled code can hold; ``native_types``, ``members`` and ``functions`` teach it to Numba;
``bridge`` is the way in.  ``words``, ``hashing`` and ``rows`` turn values into machine words.  ``fingerprint`` and
``cache`` find machine code that is still valid, ``reading`` chooses between compiled and interpreted, and ``diagnose``
says in plain words why something did not compile.  Nothing here knows the rules of a game or how to search one.
"""
