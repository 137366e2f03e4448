#!/usr/bin/env python3
"""Exports golden traces to OTF2, and compares what otf2-print reads with the traces. Skipped without otf2-print, or if
the program was built without libotf2.

test_otf2.py PROGRAM [--update]"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path[:0] = [str(folder) for folder in pathlib.Path(__file__).resolve().parents[:2]]
import read_otf2
import read_trace
from part import part_of
from test_exports import EXACT, GOLDEN, TEAMS, read_csv

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

    def test_threads_of_openmp_are_teams(self):
        archive = read_otf2.Archive(self.export(TEAMS))
        threads = {0: "P0", 1 << 32: "P0 thread 2", 2 << 32: "P0 thread 1", 1: "P1", (1 << 32) + 1: "P1 thread 1"}
        self.assertEqual({number: f'Name: "{name}{"" if "thread" in name else " main thread"}"' for number, name in threads.items()},
                         {number: text.partition(" <")[0] for number, text in archive.definitions["LOCATION"].items()})
        self.assertTrue(all("Type: CPU_THREAD" in text for text in archive.definitions["LOCATION"].values()))
        found = [(event.kind[7:], threads[event.location], event.time // 10**6, event.text.rpartition("Requested Threads: ")[2] if event.kind == "THREAD_FORK" else
                  (re.findall('Team: "(.*)" <', event.text) or [""])[0]) for event in archive.events if event.kind.startswith("THREAD")]
        p0, p1 = "threads of P0", "threads of P1"
        self.assertEqual(sorted([
            ("FORK", "P0", 100, "3"), ("TEAM_BEGIN", "P0", 110, p0), ("TEAM_END", "P0", 400, p0), ("JOIN", "P0", 500, ""), ("TEAM_BEGIN", "P0 thread 1", 110, p0),
            ("TEAM_END", "P0 thread 1", 300, p0), ("TEAM_BEGIN", "P0 thread 2", 120, p0), ("TEAM_END", "P0 thread 2", 350, p0), ("FORK", "P1", 100, "1"),
            ("TEAM_BEGIN", "P1", 100, p1), ("FORK", "P1", 200, "2"), ("TEAM_BEGIN", "P1", 200, p1), ("TEAM_BEGIN", "P1 thread 1", 220, p1),
            ("TEAM_END", "P1 thread 1", 280, p1), ("TEAM_END", "P1", 300, p1), ("JOIN", "P1", 400, ""), ("TEAM_END", "P1", 500, p1), ("JOIN", "P1", 500, "")]), sorted(found))
        roles = {tuple(re.search('Name: "(.*?)" .* Role: (.*), Paradigm: "?(.*?)"? ', text).groups()) for text in archive.definitions["REGION"].values()}
        self.assertEqual({("MPI_Barrier", "COLL_ALL2ALL", "MPI"), *((name, role, "OpenMP") for name, role in {
            "parallel": "PARALLEL", "implicit task": "TASK", "task": "TASK", "barrier": "BARRIER", "acquire critical": "CRITICAL", "critical": "CRITICAL_SBLOCK",
            "acquire ordered": "ORDERED", "ordered": "ORDERED_SBLOCK", "acquire lock": "FUNCTION", "taskwait": "TASK_WAIT", "taskgroup": "TASK_WAIT"}.items())}, roles)
        groups = [text for text in archive.definitions["GROUP"].values() if 'Paradigm: "OpenMP"' in text]
        self.assertEqual(["COMM_LOCATIONS, 5 Members", "COMM_GROUP, 3 Members", "COMM_GROUP, 2 Members"],
                         [f'{re.search("Type: ([A-Z_]+)", text)[1]}, {re.search("[0-9]+ Members", text)[0]}' for text in groups])

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
