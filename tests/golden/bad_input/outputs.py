"""Outputs that cannot be written, and outputs of malformed traces."""

import os
import shutil
import signal
import subprocess

import pages
from bad_input.case import BadInput, CALL, MESSAGE, TIMEOUT_S


class Outputs(BadInput):
    def test_all_outputs_use_the_same_part_of_a_broken_trace(self):
        path = self.trace(CALL.format("") + '<hieraMPI operation="send" operation="send"/>')
        target = self.path / "out"
        for asked in (("-m", "counts"), ("--validate",), ("--html", str(target / "page.html")), ("--export", f"graphml:{target}/g.xml"),
                      ("--export", f"full:{target}/full"), ("--export", f"compact:{target}/compact"), ("-m", "counts", "-o", str(target / "t"))):
            target.mkdir(exist_ok=True)
            status, out, err = self.run_program(path, *asked)
            self.assertEqual(status, 3, (asked, err))
            self.assertIn("not well-formed", out + err)
        files = sorted(p.name for p in target.rglob("*") if p.is_file() and p.suffix != ".dtd")
        self.assertEqual(files, ["g.xml", "hieraCollector.xml", "hieraCollector.xml", "page.html", "t", "trace0.xml", "trace0.xml", "visual.css", "visual.css", "visual.xsl", "visual.xsl"])
        self.assertIn("barrier", pages.text(target / "page.html"))
        for encoding in ("full", "compact"):
            exported = str(target / encoding / "trace0.xml")
            self.assertEqual(self.run_program(exported, "--validate")[1].count("the trace ends here"), 1)

    def test_a_failed_output_keeps_the_old_file(self):
        target = self.path / "table"
        target.write_text("before")
        limited = 'ulimit -f 1; exec "$0" "$@"'
        path = self.trace("".join(CALL.format("").replace('line="1"', f'line="{i}"') for i in range(200)))
        done = subprocess.run(["sh", "-c", "trap '' XFSZ; " + limited, self.program, "-m", "operations", "-o", str(target), path],
                              capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
        self.assertEqual((done.returncode, target.read_text()), (2, "before"), done.stderr)
        self.assertEqual(sorted(p.name for p in self.path.iterdir()), ["table", "trace0.xml"])

    def test_a_kill_while_an_output_is_written_leaves_nothing(self):
        target = self.path / "table"
        try:
            os.close(os.open(self.path, os.O_TMPFILE | os.O_WRONLY))
        except OSError as error:
            self.skipTest(f"this file system has no files without a name: {error}")
        path = self.trace("".join(CALL.format("").replace('line="1"', f'line="{i}"') for i in range(200)))
        done = subprocess.run(["sh", "-c", 'ulimit -f 1; exec "$0" "$@"', self.program, "-m", "operations", "-o", str(target), path],
                              capture_output=True, timeout=TIMEOUT_S, check=False)
        self.assertEqual(done.returncode, -signal.SIGXFSZ, done.stderr)
        self.assertEqual(sorted(p.name for p in self.path.iterdir()), ["trace0.xml"])

    def test_an_output_that_gets_no_name_is_copied(self):
        target = self.path / "table"
        traced = ["strace", "-f", "-o", os.devnull, "-e", "trace=linkat", "-e", "inject=linkat:error=EPERM"]
        if not shutil.which("strace") or subprocess.run([*traced, "true"], capture_output=True, check=False).returncode:
            self.skipTest("no strace")
        target.write_text("before")
        target.chmod(0o640)
        done = subprocess.run([*traced, self.program, "-m", "counts", "-o", target, self.trace(CALL.format(""))], capture_output=True, text=True, timeout=TIMEOUT_S,
                              check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("barrier", target.read_text())
        self.assertEqual(target.stat().st_mode & 0o777, 0o640)
        self.assertEqual(sorted(p.name for p in self.path.iterdir()), ["table", "trace0.xml"])

    def test_an_output_in_a_read_only_folder(self):
        path, target = self.trace(CALL.format("")), self.path / "table"
        target.write_text("before")
        target.chmod(0o666)
        self.path.chmod(0o555)
        self.addCleanup(self.path.chmod, 0o755)
        other = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.access(self.path, os.W_OK) else []
        if other and (not shutil.which("setpriv") or subprocess.run([*other, self.program, "--version"], capture_output=True, check=False).returncode):
            self.skipTest("this user can write to every folder")
        done = subprocess.run([*other, self.program, path, "--measure", "counts", "-o", str(target)], capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("barrier", target.read_text())

    def test_an_output_file_that_is_mounted(self):
        path, target, outer = self.trace(CALL.format("")), self.path / "table", self.path / "outer"
        target.touch()
        outer.write_text("before, and longer than what is written now: " + "x" * 1000)
        space = ["unshare", "--mount", *([] if os.getuid() == 0 else ["--map-root-user"])]
        if not shutil.which("unshare") or subprocess.run([*space, "true"], capture_output=True, check=False).returncode:
            self.skipTest("no mount namespaces")
        script = 'mount --bind "$1" "$2" && exec "$0" "$3" --measure counts -o "$2"'
        done = subprocess.run([*space, "sh", "-c", script, self.program, outer, target, path], capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(outer.read_text(), "^level.*\nmpi +barrier +1\n$")
        self.assertEqual(sorted(p.name for p in self.path.iterdir()), ["outer", "table", "trace0.xml"])

    def test_an_output_that_cannot_be_written(self):
        path = self.trace(CALL.format(""))
        for option in ("--output", "--html"):
            status, out, err = self.run_program(path, option, "/nonexistent/folder/x")
            self.assertEqual((status, out), (2, ""), err)
            self.assertRegex(err, MESSAGE)

    def test_a_full_device(self):
        status, _, err = self.run_program(self.trace(CALL.format("")), "--output", "/dev/full")
        self.assertEqual(status, 2)
        self.assertIn("cannot be written", err)
