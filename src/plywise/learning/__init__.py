"""Evaluations learned from positions: data sets, and the fit of a chess evaluation's weights to them."""
