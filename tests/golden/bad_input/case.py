"""Base class of the themes: makes a folder and traces in it, runs hiera-transform and checks its messages."""

import gzip
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

TIMEOUT_S = 150
CALL = '<hieraMPI operation="barrier" file="a.c" line="1" start_time="0.1" finish_time="0.2" comm="MPI_COMM_WORLD"{}/>'
PACKERS = {".gz": gzip.compress}
if shutil.which("zstd"):
    PACKERS[".zst"] = lambda content: subprocess.run(["zstd", "-q"], input=content, capture_output=True, check=True).stdout
MESSAGE = re.compile(r"hiera-transform: \S.*: .+")


class BadInput(unittest.TestCase):
    program = ""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="hiera-bad-")
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def write(self, content, name="trace0.xml"):
        path = self.path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    def trace(self, body, name="trace0.xml", rank="P0", rest='size="1"'):
        return self.write(f'<processor rank="{rank}" init="0" finalize="1" {rest}>\n{body}\n</processor>\n', name)

    def run_program(self, *arguments, **environment):
        """Run hiera-transform, with the measure counts if nothing else is asked for."""
        wanted = [] if {"--measure", "-m", "--validate", "--html", "--export"} & set(arguments) else ["--measure", "counts"]
        done = subprocess.run([self.program, *arguments, *wanted], capture_output=True, stdin=subprocess.DEVNULL,
                              timeout=TIMEOUT_S, check=False, env={**os.environ, **environment})
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def expect_unreadable(self, *arguments, says=""):
        """Check that nothing is measured, and that one line names the file and the reason."""
        status, out, err = self.run_program(*arguments)
        self.assertEqual((status, out), (3, ""), err)
        self.assertEqual(len(err.splitlines()), 1, err)
        self.assertRegex(err, MESSAGE)
        self.assertIn(says, err)

    def expect_count(self, count, *arguments, status=0):
        """Check the number of barriers that are measured. Return standard error."""
        actual, out, err = self.run_program(*arguments, "--format", "csv")
        self.assertEqual((actual, out), (status, f"level,operation,count\nmpi,barrier,{count}\n"), err)
        return err
