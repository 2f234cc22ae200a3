"""Proofs of exact values: ``prove`` finds one, ``proof`` holds it, ``verify`` checks it knowing only the rules."""
