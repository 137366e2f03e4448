#!/usr/bin/env python3
"""Exports golden traces to OTF2, and compares what otf2-print reads with the traces. Skipped without otf2-print, or if
the program was built without libotf2.

test_otf2.py PROGRAM [--update]"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path[:0] = [str(folder) for folder in pathlib.Path(__file__).resolve().parents[:2]]
import read_otf2
import read_trace
from part import part_of
from test_exports import EXACT, GOLDEN, read_csv

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77
PROGRAM = None


def run(*arguments):
    return subprocess.run([PROGRAM, "--quiet", *map(str, arguments)], capture_output=True, text=True, timeout=60)


def folders():
    return sorted({path.parent for path in GOLDEN.glob("**/trace0.xml") if "bad_input" not in path.parts})


class Export(unittest.TestCase):
    def setUp(self):
        self.work = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.work)

    def export(self, folder):
        target = self.work / "archive"
        shutil.rmtree(target, ignore_errors=True)
        done = run(folder, "--export", f"otf2:{target}")
        self.assertEqual((0, "", ""), (done.returncode, done.stdout, done.stderr))
        return target

    def test_figure4_is_the_known_answer(self):
        anchor = str(self.export(GOLDEN / "figure4") / "traces.otf2")
        printed = "".join(read_otf2.run(*options, anchor) for options in (["-G"], []))
        expected = HERE / "figure4.otf2.txt"
        if "--update" in sys.argv:
            expected.write_text(printed)
        self.assertEqual(expected.read_text().splitlines(), printed.splitlines())

    def test_vite_reads_it(self):
        """ViTE finds all ranks and the end of the run. What it draws into a file has no states, whatever the format of the trace."""
        if not shutil.which("vite"):
            self.skipTest("ViTE is not installed (Debian: vite)")
        anchor, picture = self.export(GOLDEN / "figure4") / "traces.otf2", self.work / "picture.svg"
        done = subprocess.run(["vite", "-e", str(picture), str(anchor)], capture_output=True, text=True, timeout=60, env=os.environ | {"QT_QPA_PLATFORM": "offscreen"})
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertIn("0 errors and 0 warnings were found", done.stdout + done.stderr)
        drawn = picture.read_text()
        for words in ("P0 main thread", "P1 main thread", "P2 main thread", "P3 main thread", "max: 0.52"):
            self.assertIn(words, drawn)

    def test_times_are_equal_to_the_nanosecond(self):
        for name in EXACT:
            with self.subTest(name):
                ranks = [read_trace.read_rank(path) for path in (GOLDEN / name).glob("trace*.xml")]
                archive, stacks, found = read_otf2.Archive(self.export(GOLDEN / name)), {}, []
                for event in archive.events:
                    stack = stacks.setdefault(event.location, [])
                    if event.kind == "ENTER":
                        stack.append((archive.region(event), event.time))
                    elif event.kind == "LEAVE":
                        operation, start = stack.pop()
                        self.assertEqual(operation, archive.region(event))
                        found.append((event.location & 0xffffffff, operation, start, event.time))
                self.assertEqual(sorted((rank.rank, o.name.split("::")[-1], o.start, o.finish)
                                        for rank in ranks for o in rank.operations), sorted(found))

    def test_counters_are_metrics(self):
        archive = read_otf2.Archive(self.export(GOLDEN / "traces" / "counters"))
        self.assertEqual(17, archive.count("METRIC"))
        self.assertEqual(4, len(archive.definitions["METRIC_MEMBER"]))
        rss, = [text for text in archive.definitions["METRIC_MEMBER"].values() if '"proc:rss"' in text]
        self.assertRegex(rss, 'ABSOLUTE_POINT.*"B"')
        at_end = [event.time for event in archive.events if event.kind == "LEAVE"]
        self.assertTrue(all(event.time in at_end for event in archive.events if event.kind == "METRIC"))

    def test_otf2_print_reads_golden_traces(self):
        """Some of them, since otf2-print takes more than a second each: test_otf2_import.py reads all again."""
        for folder in part_of(folders(), 16):
            with self.subTest(str(folder)):
                target = self.work / "archive"
                shutil.rmtree(target, ignore_errors=True)
                if run(folder, "--export", f"otf2:{target}").returncode != 0:
                    continue
                archive = read_otf2.Archive(target)
                run(folder, "--export", f"csv:{self.work}/csv")
                self.assertEqual(len(read_csv(self.work / "csv", "operations")), archive.count("ENTER"))
                self.assertEqual(archive.count("ENTER"), archive.count("LEAVE"))
                last = {}
                for event in archive.events:
                    self.assertGreaterEqual(event.time, last.get(event.location, 0))
                    last[event.location] = event.time
                self.assertEqual(archive.count("MPI_COLLECTIVE_BEGIN"), archive.count("MPI_COLLECTIVE_END"))

    def test_an_archive_is_not_overwritten(self):
        target = self.export(GOLDEN / "figure4")
        done = run(GOLDEN / "figure4", "--export", f"otf2:{target}")
        self.assertEqual((2, f"hiera-transform: {target}/traces.otf2: is there already; remove the archive, or name "
                             "another folder\n"), (done.returncode, done.stderr))

    def test_a_folder_that_cannot_be_made_is_an_error(self):
        (self.work / "file").write_text("")
        done = run(GOLDEN / "figure4", "--export", f"otf2:{self.work}/file/archive")
        self.assertEqual((2, f"hiera-transform: {self.work}/file/archive: cannot be written: Not a directory\n"),
                         (done.returncode, done.stderr))


def main():
    global PROGRAM
    PROGRAM = sys.argv[1]
    with tempfile.TemporaryDirectory() as work:
        done = run(GOLDEN / "figure4", "--export", f"otf2:{work}/archive")
    if not shutil.which("otf2-print") or "without libotf2" in done.stderr:
        sys.exit(SKIPPED)
    unittest.main(argv=sys.argv[:1] + [word for word in sys.argv[2:] if word != "--update"])


if __name__ == "__main__":
    main()
