"""Modules of bench/run and bench/growth, one for each thing that is measured."""
