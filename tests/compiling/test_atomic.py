"""Shared memory of threads: every access happens when requested, and does the same compiled and interpreted."""

from __future__ import annotations

import threading

import numba
import numpy as np

from plywise.compiling import atomic

THREADS, ROUNDS = 4, 20_000


def test_load_sees_what_another_thread_writes() -> None:
    @numba.njit(nogil=True)
    def wait(flags):
        looks = 0
        while atomic.load(flags, 1) == 0:
            looks += 1
        return looks

    flags = np.zeros(2, dtype=np.int64)
    wait.compile((numba.typeof(flags),))
    waiting = threading.Thread(target=wait, args=(flags,), daemon=True)
    waiting.start()
    flags[1] = 1
    waiting.join(timeout=10)
    assert not waiting.is_alive()
    assert atomic.load(flags, 1) == 1


def exercise(words):
    """Return what each function returns, having left its mark in ``words``."""
    before = atomic.add(words, 0, 5)
    atomic.store(words, 1, 7)
    taken = atomic.swap_if(words, 2, 0, 9)
    refused = atomic.swap_if(words, 2, 0, 11)
    return before, taken, refused, atomic.load(words, 0), atomic.load(words, 1), atomic.load(words, 2)


def test_both_readings_do_the_same() -> None:
    expected = (3, True, False, 8, 7, 9)
    for run in (exercise, numba.njit(exercise)):
        words = np.array([3, 0, 0])
        assert run(words) == expected
        assert words.tolist() == [8, 7, 9]


@numba.njit(nogil=True)
def count_up(words):
    for _ in range(ROUNDS):
        atomic.add(words, 0, 1)
        while not atomic.swap_if(words, 1, 0, 1):
            atomic.give_way()
        words[2] += 1
        atomic.store(words, 1, 0)


def test_no_thread_undoes_what_another_one_does() -> None:
    words = np.zeros(3, dtype=np.int64)
    count_up.compile((numba.typeof(words),))
    threads = [threading.Thread(target=count_up, args=(words,)) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert words.tolist() == [THREADS * ROUNDS, 0, THREADS * ROUNDS]
