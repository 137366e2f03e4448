#!/usr/bin/env python3
"""Conversion between full and compact encoding loses nothing.

encoding.py PROGRAM converts traces to compact encoding, and the result to full and to compact again. It compares
trees, measures, pages and validity."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "page"))

import pages  # noqa: E402

PROGRAM = ""
# Traces in which all calls have exact times. `paper` has the spelling of the paper, which Hiera only reads.
SETS = ("figure4", "traces/tree", "traces/sums", "traces/cut", "traces/hung", "traces/clocks/drift", "traces/rules/epochs",
        "traces/rules/partitioned", "traces/rules/nest", "traces/polls", "paper")
QUESTIONS = (("--measure", "operations"), ("--measure", "times,levels"), ("--measure", "walk-partners"), ("--measure", "profile"),
             ("--measure", "hotspots"))
CALLS = ("hieraMPI", "hieraOOPS", "hieraRegion")
HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE processor SYSTEM "trace.dtd">\n<?xml-stylesheet type="application/xslt+xml" href="visual.xsl"?><?xml-stylesheet type="text/css" href="visual.css"?>\n'


def run(*arguments):
    """Run hiera-transform, with the measure counts if nothing else is asked for."""
    if not {"--measure", "--validate", "--html", "--export"} & set(map(str, arguments)):
        arguments += ("--measure", "counts")
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, encoding="utf-8", check=False, timeout=60)


def times(element):
    """Return the attributes of an element, with times as numbers."""
    return {name: float(value) if name.endswith("_time") and value.strip() else value.strip() for name, value in element.items()}


def tree(path):
    """Return a trace as nested tuples, with times as numbers, so that 1.5 and 1.500000000 are equal."""
    def walk(element):
        return (element.tag, times(element), [walk(child) for child in element])
    return walk(ElementTree.parse(path).getroot())


class Encoding(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="hiera-encoding-")
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)

    def convert(self, source, encoding, name):
        target = self.path / name
        done = run(source, "--export", f"{encoding}:{target}")
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
        return target

    def write(self, body, name="trace0.xml"):
        (self.path / name).write_text(HEAD + f'<processor rank="P0" init="0" finalize="99999" size="1">\n{body}\n</processor>\n', encoding="utf-8")
        return self.path / name

    def test_conversion_and_back_changes_nothing(self):
        for name in SETS:
            with self.subTest(name):
                tag = name.replace("/", "-")
                compact = self.convert(HERE / name, "compact", tag + "-compact")
                full = self.convert(compact, "full", tag + "-full")
                again = self.convert(compact, "compact", tag + "-again")
                for trace in sorted(compact.glob("trace*.xml")):
                    self.assertEqual(trace.read_text(), (again / trace.name).read_text())
                    source = HERE / name / trace.name
                    if name not in ("traces/cut", "paper"):
                        self.assertEqual(tree(source), tree(full / trace.name))
                        self.assertFalse([e for e in ElementTree.parse(trace).iter() if e.tag in CALLS], trace)
                        self.assertFalse([e for e in ElementTree.parse(full / trace.name).iter() if e.tag in ("c", "hieraCall")])

    def test_all_answers_are_the_same(self):
        for name in SETS:
            compact = self.convert(HERE / name, "compact", name.replace("/", "-"))
            for question in QUESTIONS:
                with self.subTest(name, question=question):
                    there, here = run(HERE / name, *question, "--format", "csv"), run(compact, *question, "--format", "csv")
                    self.assertEqual(there.stdout, here.stdout)
                    self.assertEqual(there.returncode, here.returncode)

    def test_compact_traces_are_valid(self):
        for name in ("figure4", "traces/tree", "traces/sums", "traces/rules/epochs"):
            with self.subTest(name):
                compact = self.convert(HERE / name, "compact", name.replace("/", "-"))
                here, there = run(compact, "--validate"), run(HERE / name, "--validate")
                self.assertEqual(here.stdout.splitlines()[-1], there.stdout.splitlines()[-1])
                for trace in compact.glob("trace*.xml"):
                    done = subprocess.run(["xmllint", "--noout", "--valid", str(trace)], capture_output=True, text=True, check=False)
                    self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_pages_are_the_same(self):
        compact = self.convert(HERE / "traces/tree", "compact", "compact")
        full = self.convert(compact, "full", "full")  # with nine digits
        run(full, "--html", self.path / "full.html")
        run(compact, "--html", self.path / "compact.html")
        full_page, compact_page = (pages.blocks(self.path / f"{name}.html") for name in ("full", "compact"))
        self.assertEqual(full_page.keys(), compact_page.keys())
        for name in full_page.keys() - {"tables"}:
            self.assertEqual(full_page[name].replace(str(full).encode(), str(compact).encode()), compact_page[name])
        # What recording took differs: `perturbation` knows the encoding that the collector wrote.
        tables = [[table for table in json.loads(page["tables"]) if table["name"] != "perturbation"] for page in (full_page, compact_page)]
        self.assertEqual(*tables)
        self.assertIn(b"allreduce", full_page["head"])

    def test_repeated_attributes_are_declared_and_others_are_in_the_call(self):
        call = '<hieraMPI operation="{}" file="a.c" line="1" start_time="{}" finish_time="{}" count="{}"{}/>\n'
        body = "".join(call.format("barrier", i, i + .5, 1, "") for i in range(3))
        body += "".join(call.format("send", i, i + .5, i, f' message="P0_message{i}"') for i in range(3, 100))
        compact = ElementTree.parse(self.convert(self.write(body), "compact", "compact") / "trace0.xml").getroot()
        declared = compact.findall("hieraCall")
        self.assertEqual([e.get("operation") for e in declared], ["barrier"] + 16 * ["send"])
        self.assertFalse([e for e in declared if e.get("message")])
        calls = compact.findall("c")
        self.assertEqual([dict(e.items()) for e in calls[:2]], [{"r": "c1", "t": "0", "d": "500000000"}, {"r": "c1", "t": "1000000000", "d": "500000000"}])
        self.assertEqual(dict(calls[-1].items()), {"r": "c2", "t": "99000000000", "d": "500000000", "message": "P0_message99", "count": "99"})

    def test_requests_are_written_as_distances(self):
        call = '<hieraMPI operation="{}" file="a.c" line="{}" start_time="{}" finish_time="{}.5" {}/>\n'
        steps = lambda number, t: call.format("isend", 1, t, t, f'request="{number}"') + call.format("irecv", 2, t, t, f'request="{number + 1}"') + \
            call.format("waitall", 3, t, t, f'requests="{number} 0 {number + 1}  ... (7)" sources="- - 4" tags="- - 5" sizes="- - 6"')
        loop = "".join(steps(number, number) for number in range(1, 100, 2))
        jump = steps(5101, 5101) + call.format("wait", 4, 9000, 9000, 'requests="5"') + call.format("startall", 5, 9000, 9000, 'requests="5110 5000"')
        thread = '<hieraThread id="1">\n' + steps(5103, 9001) + steps(5105, 9002) + "</hieraThread>\n"
        source = self.write(loop + jump + thread)
        compact = self.convert(source, "compact", "compact")
        root = ElementTree.parse(compact / "trace0.xml").getroot()
        declared = [(e.get("operation"), e.get("request"), e.get("requests")) for e in root.iter("hieraCall")]
        self.assertEqual(declared, [("isend", "+1", None), ("irecv", "+1", None), ("waitall", None, "-1 0 -0  ... (7)"),
                                    ("isend", None, None), ("wait", None, None), ("startall", None, "+8 -102")])
        own = [(e.get("request"), e.get("requests")) for e in root.iter("c") if len(e.items()) > 3]
        self.assertEqual(own, [("5101", None), (None, "5"), ("5103", None)])
        self.assertEqual(tree(source), tree(self.convert(compact, "full", "full") / "trace0.xml"))
        for question in QUESTIONS:
            there, here = run(source, *question), run(compact, *question)
            self.assertEqual((there.returncode, there.stdout), (here.returncode, here.stdout))

    def test_text_that_is_no_number_is_kept(self):
        """Text that is not a request is kept, and the requests around it keep their meaning."""
        call = '<hieraMPI operation="{1}" file="a.c" line="1" start_time="{0}" finish_time="{0}.5" {2}/>\n'
        for odd in (' 7', '1 2', '-5', 'x', '', '3 x', '9223372036854775807'):
            with self.subTest(odd):
                source = self.write(call.format(1, "isend", f'request="{odd}"') + call.format(2, "wait", 'requests="7"') +
                                    call.format(3, "isend", 'request="8"') + call.format(4, "wait", 'requests="8  7"'))
                compact = self.convert(source, "compact", "compact")
                self.assertEqual(tree(source), tree(self.convert(compact, "full", "full") / "trace0.xml"))
                there, here = run(source, "--measure", "walk-operations"), run(compact, "--measure", "walk-operations")
                self.assertEqual((there.returncode, there.stdout.split("partial")[0]), (here.returncode, here.stdout.split("partial")[0]))

    def test_odd_distances(self):
        """A distance that leads to no request is reported, and no other request takes its place."""
        call = '<hieraMPI operation="wait" file="a.c" line="1" start_time="{0}" finish_time="{0}" requests="{1}" sources="1" tags="0" sizes="4"/>\n'
        begun = '<hieraMPI operation="irecv" file="a.c" line="1" start_time="0" finish_time="0" rem="0" tag="0" comm="MPI_COMM_WORLD" request="+7"/>\n'
        for word, is_odd in (("-0", False), ("-7", False), ("-8", True), ("+", True), ("--0", True), ("+-0", True), ("-", True), ("+9223372036854775807", True)):
            with self.subTest(word):
                done = run(self.write(begun + call.format(1, word)))
                self.assertEqual((done.returncode, f'requests="{word}" is not valid; the request is ignored' in done.stdout), (0, is_odd), done.stdout)

    def test_times_without_a_compact_form_stay_in_full_encoding(self):
        call = '<hieraMPI operation="barrier" file="a.c" line="1" start_time="{}" finish_time="{}"/>\n'
        odd = (("-1.0", "2"), ("0.1234567891", "1"), ("2", "1"), ("1e0", "2"), ("", "1"))
        body = "".join(call.format(*pair) for pair in odd) + call.format("3", "4.000000001") + call.format("5", "")
        compact = ElementTree.parse(self.convert(self.write(body), "compact", "compact") / "trace0.xml").getroot()
        self.assertEqual([e.get("start_time") for e in compact.findall("hieraMPI")], [pair[0] for pair in odd])
        self.assertEqual([(e.get("t"), e.get("d")) for e in compact.findall("c")], [("3000000000", "1000000001"), ("5000000000", None)])

    def test_an_argument_with_the_name_of_a_compact_attribute(self):
        call = '<hieraMPI operation="type_create_f90_real" file="a.c" line="1" start_time="{0}" finish_time="{0}.5" p="6" r="{0}"/>\n'
        source = self.write("".join(call.format(i) for i in range(40)))
        compact = self.convert(source, "compact", "compact")
        self.assertEqual(tree(source), tree(self.convert(compact, "full", "full") / "trace0.xml"))

    def test_odd_compact_traces(self):
        declared = '<hieraCall id="c1" operation="barrier" file="a.c" line="1" comm="MPI_COMM_WORLD"/>'
        cases = (("refers to nothing", '<c r="c9" t="1" d="1"/>' + declared + '<c r="c1" t="1" d="1"/>', 1, "refers to no hieraCall"),
                 ("declared without an id", '<hieraCall operation="barrier"/>' + declared + '<c r="c1" t="1" d="1"/>', 1, "without an id"),
                 ("no time", declared + '<c r="c1" d="1"/><c r="c1" t="x" d="1"/>', 2, ""),
                 ("another of the same id", declared + declared + '<c r="c1" t="1" d="1"/>', 1, ""),
                 ("children", declared + '<c r="c1" t="1" d="9"><c r="c1" t="2" d="1"/></c>', 2, ""))
        for name, body, count, says in cases:
            with self.subTest(name):
                done = run(self.write(body), "--format", "csv")
                self.assertEqual((done.returncode, done.stdout), (0, f"level,operation,count\nmpi,barrier,{count}\n"), done.stderr)
                self.assertIn(says, done.stderr)

    def test_a_trace_is_never_overwritten(self):
        trace = self.write("")
        before = trace.read_text()
        done = run(trace, "--export", f"compact:{self.path}")
        self.assertEqual(done.returncode, 2)
        self.assertIn("would be overwritten", done.stderr)
        self.assertEqual(trace.read_text(), before)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main(verbosity=2)
