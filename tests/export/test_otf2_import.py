#!/usr/bin/env python3
"""Reads OTF2 archives as traces: those that Hiera wrote say the same as the traces that they came from, those of
EZTrace are understood, and broken ones are an error. Skipped if the program was built without libotf2; what EZTrace
wrote, if it or an MPI is not there.

test_otf2_import.py PROGRAM [OTHER_TOOL FEW_NUMBERS]"""
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path[:0] = [str(folder) for folder in pathlib.Path(__file__).resolve().parents[:2]]
from part import part_of
from test_exports import GOLDEN, TEAMS

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77
PROGRAM = OTHER_TOOL = FEW_NUMBERS = None
MEASURES = "counts,levels,operations,times,profile,matrix,statistics,waits,causes,efficiency,summary"
# Traces of which some cannot be read, or of which attributes are not valid: what is wrong with them is told once, by the export.
UNREADABLE = {"traces/odd/listed", "traces/odd/begun"}
INVALID = {"traces/clocks/absurd"}


# libotf2 does not free all when it cannot open an archive.
ENVIRONMENT = os.environ | {"ASAN_OPTIONS": "detect_leaks=0"}


def run(*arguments):
    return subprocess.run([PROGRAM, "--quiet", *map(str, arguments)], capture_output=True, text=True, timeout=60, env=ENVIRONMENT)


def measure(path):
    return json.loads(run(path, "--measure", MEASURES, "--format", "json").stdout)


def without_samples(rows):
    """An archive has no samples, so measures of its run say nothing of them."""
    return [{**row, "hot": ""} if "hot" in row else row for row in rows if row.get("topic") != "Inside"]


class Work(unittest.TestCase):
    def setUp(self):
        self.work = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.work)

    def export(self, folder, name="archive"):
        shutil.rmtree(self.work / name, ignore_errors=True)
        run(folder, "--export", f"otf2:{self.work / name}")
        return self.work / name / "traces.otf2"

    def full(self, folder):
        """The traces of an archive."""
        shutil.rmtree(self.work / "full", ignore_errors=True)
        run(folder / "traces.otf2", "--export", f"full:{self.work}/full")
        return sorted((self.work / "full").glob("**/trace[0-9]*.xml"))

    def complain(self, anchor, *expected):
        """The archive is an error of input with these words in its message."""
        done = run(anchor, "--measure", "counts")
        self.assertEqual(3, done.returncode, done.stderr)
        for words in (f"hiera-transform: {anchor}", *expected):
            self.assertIn(words, done.stderr)


class RoundTrip(Work):
    def test_measures_and_findings_are_the_same(self):
        folders = sorted({path.parent for path in GOLDEN.glob("**/trace0.xml")})
        self.assertGreater(len(folders), 60)
        for folder in [TEAMS, *part_of(folders, 6)]:
            name = os.path.relpath(folder, GOLDEN)
            anchor = self.export(folder)
            if not anchor.exists() or name in UNREADABLE or name.startswith(("bad_input", "profiles")):
                continue
            with self.subTest(name):
                before, after = measure(folder), measure(anchor)
                for each in MEASURES.split(","):
                    self.assertEqual(without_samples(before[each]), after[each], each)
                if name not in INVALID:
                    self.assertEqual(sorted(f["kind"] for f in before["findings"]),
                                     sorted(f["kind"] for f in after["findings"]))

    def test_validation_finds_the_same(self):
        for name in (TEAMS, "figure4", "traces/forms", "traces/rules/epochs", "traces/rules/partitioned", "traces/persistent"):
            def summary(path):
                return run(path, "--validate").stdout.splitlines()[-1]
            with self.subTest(str(name)):
                self.assertEqual(summary(GOLDEN / name), summary(self.export(GOLDEN / name)))

    def test_strings_that_do_not_fit_into_a_table_are_the_same(self):
        if not FEW_NUMBERS:
            self.skipTest("needs the program few_numbers")
        for name in ("figure4", "traces/waits", "traces/counters"):
            with self.subTest(name):
                subprocess.run([FEW_NUMBERS, GOLDEN / name, self.work / "few"], check=True, timeout=60, env=ENVIRONMENT)
                texts = [[path.read_text() for path in self.full(folder)] for folder in (self.work / "few", self.export(GOLDEN / name).parent)]
                self.assertEqual(*texts)
                self.assertNotEqual(*[(folder / "traces/0.evt").read_bytes() for folder in (self.work / "few", self.work / "archive")])
                shutil.rmtree(self.work / "few")

    def test_an_archive_becomes_traces_again(self):
        for name in ("figure4", "traces/forms"):
            with self.subTest(name):
                shutil.rmtree(self.work / "full", ignore_errors=True)
                done = run(self.export(GOLDEN / name), "--export", f"full:{self.work}/full")
                self.assertEqual((0, ""), (done.returncode, done.stderr))
                self.assertEqual(measure(GOLDEN / name)["waits"], measure(self.work / "full")["waits"])

    def test_hostile_names_come_back(self):
        name = "a\"b&lt;c\u202e 😀\\ ]]&gt;"
        folder = self.work / "hostile"
        folder.mkdir()
        (folder / "trace0.xml").write_text(
            '<processor rank="P0" init="0" finalize="1" size="1"><hieraRegion level="l&amp;&#10;" '
            f'operation="{name.replace(chr(34), "&quot;")}" file="&lt;" line="1" start_time="0.1" finish_time="0.2" args="&#9;x=1"/>'
            '</processor>', encoding="utf-8")
        self.assertEqual(measure(folder)["counts"], measure(self.export(folder))["counts"])

    def test_teams_on_the_host_come_back(self):
        folder = self.work / "host"
        folder.mkdir()
        names = ("teams", "parallel", "implicit task", "parallel", "implicit task")
        begins = "".join(f'<hieraRegion level="openmp" operation="{name}" file="a.c" line="1" start_time="0.{n + 1}" finish_time="0.{9 - n}">' for n, name in enumerate(names))
        (folder / "trace0.xml").write_text(f'<processor rank="P0" init="0" finalize="1" size="1">{begins}{"</hieraRegion>" * len(names)}</processor>', encoding="utf-8")
        self.assertEqual(len(names), len(measure(folder)["profile"]) - 1)
        self.assertEqual(measure(folder)["profile"], measure(self.export(folder))["profile"])

    def test_numbers_come_back_as_they_were_written(self):
        folder, numbers = self.work / "numbers", ["0", "-0", "00", "7", "-7", "+7", "007", "-07", "--7", "-+7", "-", "7 ", "7x", "0x7", "7.0", "9223372036854775807", "-9223372036854775807",
                                                 "-9223372036854775808", "9223372036854775808"]
        folder.mkdir()
        regions = "".join(f'<hieraRegion level="a" operation="b" file="c" line="1" start_time="0" finish_time="0" args="{number}"/>' for number in numbers)
        (folder / "trace0.xml").write_text(f'<processor rank="P0" init="0" finalize="1" size="1">{regions}</processor>', encoding="utf-8")
        trace, = self.full(self.export(folder).parent)
        self.assertEqual(numbers, re.findall(' args="(.*?)"', trace.read_text(encoding="utf-8")))

    def test_a_text_that_is_longer_than_a_usual_chunk_comes_back(self):
        folder, text = self.work / "long", "x" * (2 << 20)
        folder.mkdir()
        (folder / "trace0.xml").write_text('<processor rank="P0" init="0" finalize="1" size="1"><hieraRegion level="a" operation="b" file="c" line="1" '
                                           f'start_time="0" finish_time="0" args="{text}"/></processor>', encoding="utf-8")
        trace, = self.full(self.export(folder).parent)
        self.assertEqual([text], re.findall(' args="(.*?)"', trace.read_text(encoding="utf-8")))

    def test_a_rank_that_is_missing_is_named(self):
        anchor = self.export(GOLDEN / "figure4/trace0.xml")
        self.assertEqual(["the job has 4 ranks; traces are missing for: 1-3"], [f["message"] for f in measure(anchor)["findings"]])

    def test_a_folder_with_an_archive_stands_for_it(self):
        anchor = self.export(GOLDEN / "figure4")
        self.assertEqual(measure(anchor)["counts"], measure(anchor.parent)["counts"])

    def test_two_archives_are_two_runs(self):
        one, two = self.export(GOLDEN / "figure4", "one"), self.export(GOLDEN / "figure4", "two")
        done = run(one, two, "--measure", "diff", "--format", "csv")
        self.assertEqual((0, ""), (done.returncode, done.stderr))


class Broken(Work):
    def setUp(self):
        super().setUp()
        self.anchor = self.export(GOLDEN / "figure4")
        self.events = self.anchor.parent / "traces"

    def test_an_event_file_that_is_cut(self):
        with open(self.events / "1.evt", "r+b") as file:
            file.truncate(100)
        self.complain(self.anchor, "#1:", "the events of location 1 of the OTF2 archive cannot be read", "everything before it is used")

    def test_an_event_file_that_is_missing(self):
        (self.events / "2.evt").unlink()
        self.complain(self.anchor, "#2:", "the events of location 2 of the OTF2 archive cannot be read")

    def test_definitions_that_are_cut_or_missing(self):
        definitions = self.anchor.with_suffix(".def")
        with open(definitions, "r+b") as file:
            file.truncate(300)
        self.complain(self.anchor, "the definitions of this OTF2 archive cannot be read", "are all of its files beside it?")
        definitions.unlink()
        self.complain(self.anchor, "the definitions of this OTF2 archive cannot be read", "are all of its files beside it?")

    def test_an_anchor_file_that_is_cut(self):
        with open(self.anchor, "r+b") as file:
            file.truncate(20)
        self.complain(self.anchor, "cannot be read")

    def test_a_rank_that_the_archive_does_not_have(self):
        done = run(f"{self.anchor}#9", "--measure", "counts")
        self.assertEqual((3, f"hiera-transform: {self.anchor}#9: the archive has no rank 9\n"), (done.returncode, done.stderr))

    def test_damage_is_no_crash(self):
        random.seed(17)
        whole = self.work / "whole"
        shutil.copytree(self.anchor.parent, whole)
        for turn in range(24):
            shutil.rmtree(self.anchor.parent)
            shutil.copytree(whole, self.anchor.parent)
            # Not the anchor file: libotf2 takes as much memory as it says.
            file = random.choice(sorted(self.anchor.parent.rglob("*.def")) + sorted(self.anchor.parent.rglob("*.evt")))
            data = bytearray(file.read_bytes())
            for _ in range(random.choice((1, 2, 8))):
                data[random.randrange(len(data))] = random.choice((0, 1, 255, random.randrange(256)))
            file.write_bytes(data[:random.choice((len(data), random.randrange(len(data))))])
            done = run(self.anchor, "--measure", "counts,waits,matrix")
            self.assertIn(done.returncode, (0, 3), f"turn {turn}, {file}: {done.stderr[-500:]}")


class OtherTool(Work):
    """The archive of other_tool.c: complete, but without anything of Hiera."""

    def setUp(self):
        super().setUp()
        if not OTHER_TOOL:
            self.skipTest("needs the program other_tool")
        self.anchor = self.write("archive")

    def write(self, name, *words):
        subprocess.run([OTHER_TOOL, self.work / name, *words], check=True, timeout=60)
        return self.work / name / "traces.otf2"

    def test_metrics_that_are_not_read_are_told(self):
        for anchor, told in ((self.write("counted", "serial"), "traces.otf2: its 1 metric (PAPI_TOT_CYC) is not read: no counter is in any answer"), (self.anchor, "")):
            done = subprocess.run([PROGRAM, anchor, "--measure", "counts"], capture_output=True, text=True, timeout=60, check=False, env=ENVIRONMENT)
            self.assertEqual((0, True, bool(told)), (done.returncode, told in done.stderr, "metric" in done.stderr), done.stderr)

    def test_each_record_finds_its_call(self):
        found = measure(self.anchor)
        self.assertEqual({"step(int)": 2, "deviceCopy": 2, "allgather": 2, "allreduce": 2, "finalize": 2, "init": 2, "irecv": 4, "isend": 4, "startall": 2, "test": 2,
                          "waitall": 4}, {row["operation"]: row["count"] for row in found["counts"]})
        self.assertEqual([(0, 1, 2, 16), (1, 0, 2, 16)],
                         [(row["sender"], row["receiver"], row["messages"], row["bytes"]) for row in found["matrix"]])
        self.assertEqual([("wait at N x N", "allreduce", 0.00001)],
                         [(row["class"], row["operation"], row["time"]) for row in found["waits"]])
        self.assertEqual([], found["findings"])

    def test_times_count_from_the_offset_in_ticks(self):
        self.assertEqual([(0.000057, 0.00012), (0.000047, 0.00012)],
                         [(row["communication"], row["total"]) for row in measure(self.anchor)["times"]])

    def test_it_is_valid(self):
        for anchor, notes in ((self.anchor, 0), (self.write("alone", "serial"), 1)):
            done = run(anchor, "--validate")
            self.assertEqual((0, f"errors: 0; warnings: 0; notes: {notes}"), (done.returncode, done.stdout.splitlines()[-1]), done.stdout)

    def test_what_mpi_calls_is_in_its_call(self):
        row, = [row for row in measure(self.anchor)["profile"] if row["path"].split(" > ")[-1] == "deviceCopy"]
        self.assertEqual(("cuda", "processors > allreduce > deviceCopy", 2), (row["level"], row["path"], row["calls"]))

    def test_threads_of_openmp_are_the_level_openmp(self):
        """Regions and records of teams become what Hiera's own traces have, with the places of regions."""
        rows = measure(self.write("threads", "threads"))["profile"]
        part = "parallel omp.c:5 > implicit task omp.c:5"
        self.assertEqual(sorted([
            ("parallel omp.c:5", 1, 45), (part, 1, 39), (f"{part} > acquire critical omp.c:8", 1, 2), (f"{part} > critical omp.c:8", 1, 5), (f"{part} > barrier omp.c:15", 1, 10), ("acquire lock", 1, 1)]),
            sorted((row["path"].partition("processors > ")[2], row["calls"], round(row["inclusive"] * 1e6)) for row in rows if row["level"] == "openmp" and "further" not in row["path"]))
        self.assertEqual({"implicit task": (2, 46), "acquire critical": (1, 8), "critical": (1, 5), "barrier": (1, 8), "for": (1, 9), "create task": (2, 1), "taskwait": (1, 4), "task": (1, 2)},
                         self.sums(row for row in rows if "further threads >" in row["path"]))
        said = json.loads(run(self.work / "threads" / "traces.otf2", "--measure", "operations", "--where", 'args == "task=1048577"', "--format", "json").stdout)
        self.assertEqual(["create task", "task"], [row["operation"] for row in said["operations"]])

    @staticmethod
    def sums(rows):
        found = {}
        for row in rows:
            name = re.sub(" omp.c.*", "", row["path"].rpartition(" > ")[2])
            calls, time = found.get(name, (0, 0))
            found[name] = calls + row["calls"], time + round(row["inclusive"] * 1e6)
        return found

    def test_devices_are_no_ranks(self):
        found = measure(self.write("alone", "serial"))
        self.assertEqual({"step(int)": 1, "deviceCopy": 1}, {row["operation"]: row["count"] for row in found["counts"]})
        self.assertEqual(["unknown element"], [finding["kind"] for finding in found["findings"]])


class EZTrace(Work):
    """Traces of another tool, which lack the completion of requests, what MPI_Sendrecv does, and call sites."""

    @classmethod
    def setUpClass(cls):
        tools = {name: shutil.which(name) for name in ("eztrace", "mpicc.openmpi", "mpirun.openmpi")}
        if not all(tools.values()):
            raise unittest.SkipTest("needs eztrace and Open MPI")
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        subprocess.run([tools["mpicc.openmpi"], str(HERE / "ring.c"), "-o", "ring"], cwd=folder.name, check=True, timeout=60)
        environment = os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                                    "OMPI_MCA_mpi_yield_when_idle": "1"}
        subprocess.run([tools["mpirun.openmpi"], "--oversubscribe", "-n", "4", tools["eztrace"], "-t", "openmpi", "./ring"],
                       cwd=folder.name, env=environment, timeout=120, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        cls.anchor = next(pathlib.Path(folder.name).glob("*_trace/*.otf2"), None)
        if not cls.anchor:
            raise unittest.SkipTest("eztrace left no trace")

    def test_measures_work(self):
        found = measure(self.anchor)
        counts = {row["operation"]: row["count"] for row in found["counts"] if row["level"] == "mpi"}
        self.assertEqual({"allreduce": 12, "barrier": 4, "broadcast": 4, "comm_free": 4, "comm_split": 4, "irecv": 12,
                          "isend": 12, "receive": 3, "reduce": 4, "send": 3, "sendrecv": 4, "waitall": 12}, counts)
        self.assertEqual([(sender, 0, 1, 4) for sender in (1, 2, 3)],
                         [(row["sender"], row["receiver"], row["messages"], row["bytes"]) for row in found["matrix"]])
        self.assertTrue({"send", "receive", "allreduce"} <= {row["operation"] for row in found["statistics"]})
        self.assertTrue(found["summary"])
        self.assertTrue(all(row["time"] >= 0 for row in found["waits"]))

    def test_what_is_lacking_has_a_reason(self):
        done = run(self.anchor, "--validate")
        self.assertEqual(1, done.returncode, done.stdout)
        self.assertIn("errors: 0;", done.stdout)
        self.assertIn("the OTF2 archive does not tell what these receives got", done.stdout)

    def test_the_page_is_made(self):
        done = run(self.anchor, "--html", self.work / "page.html")
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertIn("</html>", (self.work / "page.html").read_text(encoding="utf-8"))


def main():
    global PROGRAM, OTHER_TOOL, FEW_NUMBERS
    PROGRAM, OTHER_TOOL, FEW_NUMBERS = [*sys.argv[1:4], None, None][:3]
    with tempfile.TemporaryDirectory() as work:
        if "without libotf2" in run(GOLDEN / "figure4", "--export", f"otf2:{work}/archive").stderr:
            sys.exit(SKIPPED)
    unittest.main(argv=sys.argv[:1])


if __name__ == "__main__":
    main()
