#!/usr/bin/env python3
"""Folded loops lose nothing, stay small, and cannot be misused.

loops.py PROGRAM WRITER: WRITER (tests/unit/collector/loops.c) writes the same calls folded and unfolded; hiera-transform must say the same
of both, byte for byte. Then traces with damaged loops, written here."""
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import unittest

PROGRAM, WRITER = "", ""
TURNS = 60
MEMORY = 2 << 30
HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<processor rank="P0" init="0" finalize="1" size="1" format="1">\n'
CALLS = '<hieraCall id="c1" operation="barrier" file="a.c" line="1"/>\n<hieraCall id="c2" level="app" operation="step" file="a.c" line="2"/>\n'
BODY = '<hieraBody id="l1"><p r="c2"><p r="c1"/></p></hieraBody>\n'
LOOP = '<hieraLoop body="l1" {} t="1000" end="{}" times="{}"/>\n'


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def transform(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, encoding="utf-8", check=False, timeout=20, preexec_fn=limit)


class Loops(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="hiera-loops-")
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)

    def write(self, seed, turns):
        """Return the number of calls, and the folded trace."""
        for name in ("plain", "folded"):
            (self.path / name).mkdir(exist_ok=True)
        calls = subprocess.run([WRITER, self.path, str(seed), str(turns)], capture_output=True, text=True, check=True).stdout
        return int(calls), (self.path / "folded" / "trace0.xml").read_text(encoding="utf-8")

    def same(self, *question):
        plain, folded = (transform(self.path / name, *question).stdout for name in ("plain", "folded"))
        self.assertEqual(plain, folded)
        return plain

    def test_same_calls(self):
        for seed in range(5):
            with self.subTest(seed=seed):
                calls, trace = self.write(seed, TURNS)
                self.assertIn("<hieraLoop ", trace)
                self.assertIn('" values="', trace) if seed > 0 else None
                for name in ("plain", "folded"):
                    transform(self.path / name, "--export", f"full:{self.path / name}-full")
                plain, folded = ((self.path / f"{name}-full" / "trace0.xml").read_bytes() for name in ("plain", "folded"))
                self.assertTrue(plain == folded)
                self.assertEqual(plain.count(b"<hieraRegion "), calls)

    def test_same_answers(self):
        calls, _ = self.write(5, TURNS)
        counts = self.same("--measure", "counts", "--format", "csv")
        self.assertEqual(sum(int(line.split(",")[2]) for line in counts.splitlines()[1:]), calls)
        for measure in ("profile", "statistics", "levels,operations,times", "phases"):
            self.same("--measure", measure, "--format", "csv")
        self.same("--probe", 'call::[end] { @[&call] = count(); } END { global_print(@); }')
        self.assertNotIn("GRAMMAR", transform(self.path / "folded", "--validate").stdout)

    def test_size(self):
        """Each buffer costs some bytes beside its times, whatever has come before."""
        sizes = []
        for turns in (100, 400):
            calls, trace = self.write(0, turns)
            sizes.append((calls, len(trace), len(re.sub('times="[^"]*"', '', trace))))
        calls, whole, structure = (after - before for before, after in zip(*sizes))
        print(f"{calls} more calls: {whole / calls:.2f} bytes each, {structure / calls:.2f} of them beside the times", file=sys.stderr)
        self.assertLess(whole / calls, 4)
        self.assertLess(structure / calls, 1)

    def read(self, body):
        (self.path / "trace0.xml").write_text(HEAD + CALLS + body + "</processor>\n", encoding="utf-8")
        return transform(self.path / "trace0.xml", "--measure", "counts", "--format", "csv")

    def check_refused(self, line, problem, body, calls=""):
        with self.subTest(problem=problem, body=body[:200]):
            done = self.read(body)
            self.assertRegex(done.stderr, rf"trace0\.xml:{line}: [^\n]*{problem}")
            self.assertEqual(done.stdout, "level,operation,count\n" + calls)

    def test_good(self):
        done = self.read(BODY + LOOP.format('turns="1"', 1000, "!!!!!!"))
        self.assertEqual((done.stdout, done.stderr), ("level,operation,count\napp,step,1\nmpi,barrier,1\n", ""))

    def test_damaged_loops(self):
        both = "app,step,1\nmpi,barrier,1\n"
        self.check_refused(6, "end too early", BODY + LOOP.format('turns="1"', 1000, ""))
        self.check_refused(6, "end too early", BODY + LOOP.format(f'turns="{10 ** 12}"', 1000, "!!!!!!"), both)
        self.check_refused(6, "or are no times", BODY + LOOP.format('turns="1"', 1000, "!!!!!\u00e4"), "app,step,1\n")
        self.check_refused(6, "or are no times", BODY + LOOP.format('turns="1"', 1000, "~~~~~~"))
        self.check_refused(6, "more times than calls", BODY + LOOP.format('turns="1"', 1000, 10 * "!!"), both)
        self.check_refused(6, "do not lead to its end", BODY + LOOP.format('turns="1"', 1001, "!!!!!!"), both)
        for turns in ('turns="0"', 'turns="-1"', f'turns="{2 ** 63}"', 'turns="x"', 'from="3" to="1"', 'from="0" to="9"', 'from="0" to="1"', 'from="1" to="3"'):
            self.check_refused(6, "without valid turns", BODY + LOOP.format(turns, 1000, "!!!!!!"))
        self.check_refused(5, "no hieraBody before it", LOOP.format('turns="1"', 1000, "!!!!!!"))

    def test_damaged_bodies(self):
        loop = LOOP.format('turns="1"', 1000, "!!!!!!")
        self.check_refused(5, "without calls", f'<hieraBody id="l1"/>\n{loop}')
        self.check_refused(5, "something else", f'<hieraBody id="l1"><hieraLoop body="l1"/></hieraBody>\n{loop}')
        self.check_refused(5, "something else", f'<hieraBody id="l1"><c r="c1" t="1" d="1"/></hieraBody>\n{loop}')
        self.check_refused(5, "outside", '<p r="c1"/>\n')
        self.check_refused(6, "refers to no hieraCall", f'<hieraBody id="l1"><p r="c9"/></hieraBody>\n{LOOP.format(chr(116) + "urns=" + chr(34) + "1" + chr(34), 1000, "!!")}')
        nest = '<hieraBody id="l0"><p r="c1"/></hieraBody>\n' + "".join(
            f'<hieraBody id="l{i}"><hieraLoop body="l{i - 1}"/><hieraLoop body="l{i - 1}"/></hieraBody>\n' for i in range(1, 40))
        self.check_refused("[0-9]+", "something else", nest)

    def test_damaged_variants(self):
        for vary in ('at="-1" r="c1"', 'r="c1"', 'at="x" r="c1"', 'at="1" r="c1" by="x"', 'at="1" r="c1" by="1 2 3 4 5"'):
            self.check_refused(6, "hieraVary", BODY + LOOP.format('turns="1"', 1000, "!!!!!!").replace("/>", f"><hieraVary {vary}/></hieraLoop>"),
                               "app,step,1\nmpi,barrier,1\n")
        for values, problem, calls in (("\u00e4", "are no values", ""), ("~~", "are no values", ""), ("!!", "does not have", "app,step,1\nmpi,barrier,1\n")):
            self.check_refused(6, problem, BODY + LOOP.format('turns="1"', 1000, "!!!!!!").replace("/>", f'><hieraVary at="9" values="{values}"/></hieraLoop>'), calls)
        done = self.read(BODY + LOOP.format('turns="2"', 1000, 4 * "!!").replace(
            "/>", f'><hieraVary at="0" r="c2" args="a={10 ** 18 - 1} b=007 c=9" by="1 1 1"/></hieraLoop>'))
        self.assertIn("app,step,2", done.stdout)


if __name__ == "__main__":
    PROGRAM, WRITER = sys.argv[1:3]
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
