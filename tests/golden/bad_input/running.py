"""Traces of programs that are still running."""

import os
import socket
import subprocess

from bad_input.case import BadInput, CALL


class Running(BadInput):
    def test_a_process_that_still_runs(self):
        def trace(pid, host=socket.gethostname()):
            return self.trace(CALL.format(""), rest=f'size="1" host="{host}" pid="{pid}"')

        child = subprocess.Popen(["sleep", "60"])
        self.addCleanup(child.wait)
        self.addCleanup(child.kill)
        status, out, _ = self.run_program("--validate", trace(child.pid))
        self.assertEqual(status, 1)
        self.assertIn(f"its process {child.pid} still runs: the trace is not complete yet", out)
        path = trace(child.pid)
        os.utime(path, (0, 0))  # written before the process began: another process had the same number
        self.assertNotIn("still runs", self.run_program("--validate", path)[1])
        self.assertNotIn("still runs", self.run_program("--validate", trace(child.pid, "elsewhere"))[1])
        child.kill()
        child.wait()
        self.assertNotIn("still runs", self.run_program("--validate", trace(child.pid))[1])

    def test_a_process_that_has_just_begun(self):
        """It is recognised at any fraction of a second: clock ticks and file times are coarse."""
        for _ in range(40):
            with subprocess.Popen(["sleep", "60"]) as child:
                path = self.trace(CALL.format(""), rest=f'size="1" host="{socket.gethostname()}" pid="{child.pid}"')
                out = self.run_program("--validate", path)[1]
                child.kill()
            self.assertIn("still runs", out)

    def test_a_rank_of_a_job_that_still_runs_was_not_killed(self):
        child = subprocess.Popen(["sleep", "60"])
        self.addCleanup(child.wait)
        self.addCleanup(child.kill)
        late = CALL.format("").replace("0.2", "10")
        paths = [self.write(f'<processor rank="P{rank}" init="0" finalize="{finalize}" size="2" host="{socket.gethostname()}" pid="{pid}">\n{body}\n'
                            '</processor>\n', f"trace{rank}.xml")
                 for rank, finalize, pid, body in ((0, "11", 0, late), (1, "", child.pid, CALL.format("")))]
        out = self.run_program("--validate", *paths)[1]
        self.assertIn("still runs", out)
        self.assertNotIn("killed", out)
        child.kill()
        child.wait()
        self.assertIn("rank P1 stops 10.800 s before the last rank, and its trace has no end: it was killed", self.run_program("--validate", *paths)[1])
