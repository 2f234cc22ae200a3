"""Proofs of exact values: ``prove`` finds them, ``proof`` stores them, ``verify`` checks them by the rules alone."""
