"""Evaluations learned from positions: data sets, and fitting a chess evaluation's weights to them."""
