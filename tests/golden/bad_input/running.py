"""Traces of programs that are still running."""

import fcntl
import os
import pathlib
import socket
import struct
import subprocess

from bad_input.case import BadInput, CALL


def words_of(pid, boot=None, space=None, start=None):
    """What tells a process from others with its number, as traces have it."""
    boot = boot or pathlib.Path('/proc/sys/kernel/random/boot_id').read_text(encoding='ascii').strip()
    start = start or pathlib.Path(f'/proc/{pid}/stat').read_text(encoding='ascii').rpartition(')')[2].split()[19]
    return f'host="{socket.gethostname()}" pid="{pid}" process="{boot}/{space or os.stat("/proc/self/ns/pid").st_ino}/{start}"'


class Running(BadInput):
    def sleeper(self):
        child = subprocess.Popen(["sleep", "60"])
        self.addCleanup(child.wait)
        self.addCleanup(child.kill)
        return child

    def unfinished(self, words):
        return self.write(f'<processor rank="P0" init="0" finalize="" size="1" {words}>\n{CALL.format("")}\n</processor>\n')

    def verdict(self, words):
        return self.run_program("--validate", self.unfinished(words))

    def test_a_process_that_still_runs(self):
        child = self.sleeper()
        words = words_of(child.pid)
        status, out, _ = self.verdict(words)
        self.assertEqual(status, 1)
        self.assertIn(f"its process {child.pid} still runs: the trace is not complete yet", out)
        child.kill()
        child.wait()
        self.assertNotIn("still runs", self.verdict(words)[1])

    def test_a_process_that_is_behind_its_trace(self):
        """It is in MPI_Finalize, or computes behind it: nothing is missing."""
        child = self.sleeper()
        self.assertEqual(self.run_program("--validate", self.trace(CALL.format(""), rest=f'size="1" {words_of(child.pid)}'))[0], 0)

    def test_another_process_with_its_number(self):
        """It began at another time, before the last start of the computer, in another container; or nobody knows which one it was."""
        child = self.sleeper()
        for words in (words_of(child.pid, start=1), words_of(child.pid, boot='00000000-0000-0000-0000-000000000000'), words_of(child.pid, space=7),
                      f'host="{socket.gethostname()}" pid="{child.pid}"'):
            with self.subTest(words):
                self.assertNotIn("still runs", self.verdict(words)[1])

    def test_a_process_of_another_container_holds_its_trace(self):
        path = self.unfinished(words_of(1, space=7))
        with open(path, 'r+b') as file:
            fcntl.fcntl(file, fcntl.F_OFD_SETLK, struct.pack('hhqqi4x', fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0))
            self.assertIn("its process 1 still runs", self.run_program("--validate", path)[1])
        self.assertNotIn("still runs", self.run_program("--validate", path)[1])

    def test_a_rank_of_a_job_that_still_runs_was_not_killed(self):
        child = self.sleeper()
        late = CALL.format("").replace("0.2", "10")
        paths = [self.write(f'<processor rank="P{rank}" init="0" finalize="{finalize}" size="2" {words}>\n{body}\n'
                            '</processor>\n', f"trace{rank}.xml")
                 for rank, finalize, words, body in ((0, "11", "", late), (1, "", words_of(child.pid), CALL.format("")))]
        out = self.run_program("--validate", *paths)[1]
        self.assertIn("still runs", out)
        self.assertNotIn("killed", out)
        child.kill()
        child.wait()
        self.assertIn("rank P1 stops 10.800 s before the last rank, and its trace has no end: it was killed", self.run_program("--validate", *paths)[1])
