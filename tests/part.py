"""A part of what a test could ask, so that all tests together take minutes. With the option every_mpi of meson, before a release, or HIERA_TEST_ALL=1, tests ask all of it."""
import os

IS_ALL = bool(os.environ.get("HIERA_TEST_ALL"))


def part_of(items, each, first=0):
    """Every `each`-th of a list."""
    return items if IS_ALL else items[first::each]
