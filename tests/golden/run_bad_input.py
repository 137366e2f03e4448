#!/usr/bin/env python3
"""Bad input of every kind: one clear message, the right exit status, no crash, no hang; valid parts are measured.

run_bad_input.py PROGRAM THEME [TEST…]: the theme is a file of bad_input/. Large inputs are generated there, in a temporary folder."""

import importlib
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "page"))

from bad_input.case import BadInput  # noqa: E402

if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    BadInput.program = str(pathlib.Path(sys.argv[1]).resolve())
    unittest.main(module=importlib.import_module(f"bad_input.{sys.argv[2]}"), argv=[__doc__, *sys.argv[3:]], verbosity=2)
