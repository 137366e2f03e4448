"""Large inputs: time and memory grow linearly, or a limit stops reading and is named."""

import gzip
import pathlib

from bad_input.case import BadInput, CALL


class Sizes(BadInput):
    def test_a_huge_attribute(self):
        body = CALL.format("") + CALL.format(' args="' + "x" * 20_000_000 + '"') + CALL.format("")
        path = self.trace(body)
        self.assertIn("exceeds the limit tag=16777216", self.expect_count(1, path, status=3))
        self.assertEqual(self.expect_count(3, path, "--limits", "tag=200M"), "")

    def test_a_huge_name(self):
        name = "f" * 2_000_000
        path = self.trace(CALL.format("").replace("a.c", name))
        status, out, err = self.run_program(path, "--measure", "operations", "--limits", "tag=200M", COLUMNS="80")
        self.assertEqual((status, err), (0, ""))
        self.assertTrue(all(len(line) <= 80 for line in out.splitlines()))

    def test_bombs_end_at_a_limit(self):
        """Files that are small on disk, and would need gigabytes or minutes."""
        many = "<b " + " ".join(f'a{i}="1"' for i in range(20_000)) + "/>"
        model = "<!DOCTYPE processor [<!ELEMENT processor (" + "a|" * 200_000 + "a)>]>\n<processor rank='P0'/>"
        for body, limit, options in (("<a>" * 1_000_001, "depth=1000000", []), ("<a>" * 100_001, "depth=100000", ["--validate", "--limits", "depth=100000"]),
                                     (many, "attributes=10000", ["--validate"])):
            path = self.write(gzip.compress(f'<processor rank="P0" init="0" finalize="1">{CALL.format("")}{body}</processor>'.encode(), 1))
            self.assertIn(f"exceeds the limit {limit}", self.expect_count(1, path, "-m", "counts", *options, status=3))
        self.expect_unreadable(self.write(gzip.compress(model.encode(), 1)), says="exceeds the limit head=262144")

    def test_a_long_head(self):
        text = pathlib.Path(self.trace(CALL.format(""))).read_text(encoding="utf-8")
        path = self.write(f"<!-- {'x' * 1_000_000} -->\n{text}")
        self.expect_unreadable(path, says="exceeds the limit head=262144; if you trust the trace, raise it with --limits")
        self.assertEqual(self.expect_count(1, path, "--limits", "head=2M"), "")

    def test_many_attributes_are_checked_in_linear_time(self):
        n = 12_000
        body = "<hieraMPI " + " ".join(f'a{i}="1"' for i in range(n)) + "/>"
        status, out, _ = self.run_program("--validate", "--limits", "attributes=100k", self.trace(body))
        self.assertEqual(status, 1)
        self.assertIn("No declaration for attribute a999 ", out)
        self.assertIn(f"... and {n - 995} more of the same kinds: the first 1000 of each are listed\n", out)

    def test_more_traces_than_the_limit(self):
        self.trace(CALL.format(""))
        names = '<collect_file rank="P0">trace0.xml</collect_file>' * 3
        path = self.write(f"<hieraCollector>{names}</hieraCollector>", "hieraCollector.xml")
        status, _, err = self.run_program(path, "--limits", "files=2")
        self.assertEqual(status, 3)
        self.assertIn("lists more traces than the limit files=2", err)

    def test_invalid_limits(self):
        for limits in ("", "tag", "tag=", "tag=1x", "height=3", "tag=99999999999999999999", "depth=1,"):
            status, out, err = self.run_program("--limits", limits, self.trace(CALL.format("")))
            self.assertEqual((status, out), (2, ""), limits)
            self.assertIn("tag head attributes depth files", err)

    def test_deep_nesting(self):
        depth = 100_000
        opened = '<hieraRegion level="app" operation="f" file="a.c" line="1" start_time="0.1" finish_time="0.2">\n'
        path = self.trace(opened * depth + "</hieraRegion>" * depth)
        status, out, err = self.run_program(path, "--measure", "levels", "--format", "csv")
        self.assertEqual((status, err), (0, ""))
        self.assertEqual(out.splitlines()[-1], f"0,{depth - 1},1")
        status, out, err = self.run_program(path, "--validate")
        self.assertEqual((status, out), (0, "errors: 0; warnings: 0; notes: 0\n"), err)
        status, out, err = self.run_program(path, "--measure", "walk-partners", "--format", "csv")
        self.assertEqual((status, len(out.splitlines())), (0, depth + 2), err)
        status, out, err = self.run_program(path, "--quiet", "--export", f"speedscope:{self.path}/flames")
        self.assertEqual((status, out, err), (0, "", ""))
        depth = 2_000  # a row has the end of its path, up to a limit
        path = self.trace(opened * depth + "</hieraRegion>" * depth)
        status, out, err = self.run_program(path, "--measure", "profile", "--format", "csv")
        self.assertEqual((status, len(out.splitlines())), (0, depth + 2), err)
        self.assertLess(max(len(line) for line in out.splitlines()), 1000)

    def test_deep_nesting_of_timed_loops(self):
        """A function has 64 timed loops at most; what is more than 100 deep is left out."""
        times = 'count="1" time="0.1" own="0.1" min="0.1" max="0.1" threads="1" longest="0.1" uncertainty="0"'
        loops, depth = f'<hieraTimedLoop {times} iterations="1">\n', 100_000
        path = self.trace(f'<hieraLoops event="0"><hieraTimed operation="f" {times}>{loops * depth}{"</hieraTimedLoop>" * depth}</hieraTimed></hieraLoops>')
        status, out, err = self.run_program(path, "--measure", "loops", "--format", "csv")
        self.assertEqual((status, err, len(out.splitlines())), (0, "", 102))

    def test_errors_in_deep_elements_are_found_in_linear_time(self):
        n = 30_000
        opened = '<hieraRegion level="app" operation="f" file="a.c" line="1" start_time="0.1" finish_time="0.2">'
        path = self.trace(opened * n + (opened + "<b/></hieraRegion>") * n + "</hieraRegion>" * n)
        status, out, err = self.run_program(path, "--validate")
        self.assertEqual(status, 1, err)
        self.assertIn(f"element b is not declared ({n} times)", out)

    def test_waits_of_polls_are_explained_in_linear_time(self):
        """Rank 2 is late; rank 1, which rank 0 polls for, polls for it."""
        n, call = 120_000, '<hieraMPI operation="{}" file="a.c" line="1" start_time="{:.6f}" finish_time="{:.6f}" comm="MPI_COMM_WORLD" tag="0" {}/>\n'

        def rank_that_polls(me, other, rest):
            polls = (call.format("iprobe", 0.1 + i * 4e-6, 0.1 + i * 4e-6 + 1e-6, f'rem="{other}" flag="0" posted="{other}" posted_tag="0"') for i in range(n))
            self.trace(''.join(polls) + rest, f"trace{me}.xml", f"P{me}", 'size="3"')

        def received(other, at):
            return call.format("iprobe", at, at + 0.01, f'rem="{other}" flag="1"') + call.format("receive", at + 0.01, at + 0.02, f'rem="{other}" bytes="8"')

        rank_that_polls(0, 1, received(1, 0.8))
        rank_that_polls(1, 2, received(2, 0.7) + call.format("send", 0.75, 0.76, 'dest="0" bytes="8"'))
        self.trace(call.format("send", 0.6, 0.61, 'dest="1" bytes="8"'), "trace2.xml", "P2", 'size="3"')
        status, out, err = self.run_program(str(self.path), "--measure", "causes", "--columns", "path,processors,direct,indirect", "--format", "csv")
        self.assertEqual((status, err), (0, ""))
        self.assertIn(f"before send a.c:1,2,{n / 1e6:.9f},{n / 1e6:.9f}", out)

    def test_waits_for_a_rank_that_polls_are_explained_in_linear_time(self):
        """Both ranks poll for each other at the same time: each poll has waited for a rank that polled."""
        n, call = 40_000, '<hieraMPI operation="iprobe" file="a.c" line="{}" start_time="{:.6f}" finish_time="{:.6f}" comm="MPI_COMM_WORLD" tag="0" rem="{}" {}/>\n'
        given = '<hieraMPI operation="send" file="a.c" line="5" start_time="0.7" finish_time="0.71" comm="MPI_COMM_WORLD" tag="0" dest="{}" bytes="8"/>'
        taken = '<hieraMPI operation="receive" file="a.c" line="6" start_time="0.8" finish_time="0.81" comm="MPI_COMM_WORLD" tag="0" rem="{}" bytes="8"/>'
        for me in range(2):
            polls = (call.format(1, 0.1 + i * 1e-5 + me * 4e-6, 0.1 + i * 1e-5 + 3e-6 + me * 4e-6, 1 - me,
                                 f'flag="0" posted="{1 - me}" posted_tag="0"') for i in range(n))
            found = call.format(4, 0.75, 0.76, 1 - me, 'flag="1"')
            self.trace(''.join(polls) + given.format(1 - me) + found + taken.format(1 - me), f"trace{me}.xml", f"P{me}", 'size="2"')
        status, out, err = self.run_program(str(self.path), "--measure", "causes", "--columns", "path,processors,direct,indirect", "--format", "csv")
        self.assertEqual((status, err), (0, ""))
        self.assertEqual(out.splitlines()[1:], ["before iprobe a.c:1,1,0.000003000,0.239993000", "before send a.c:5,0,0.000004000,0.000000000"])

    def test_many_different_unknown_names(self):
        body = "".join(f"<x{i} y{i}='1'/>" for i in range(50_000)) + CALL.format("")
        status, out, err = self.run_program(self.trace(body), "--quiet")
        self.assertEqual((status, err), (0, ""))
        self.assertIn("barrier", out)

    def test_an_enormous_communicator(self):
        body = '<hieraComm id="c" ranks="0-2147483646"/>' + CALL.format("").replace("MPI_COMM_WORLD", "c") * 100
        status, out, err = self.run_program(self.trace(body), "--validate")
        self.assertEqual(status, 1, err)
        self.assertIn("not all of its partners were traced", out)

    def test_communicators_of_communicators(self):
        """Each communicator is made from the one before it: such a chain costs linear time."""
        for rank in range(2):
            names = ["MPI_COMM_WORLD", *(f"P{rank}_own_comm{i}" for i in range(20_000))]
            body = "".join(f'<hieraComm id="{new}" ranks="0-1" remote="?"/>\n' +
                           CALL.format(f' newcomm="{new}"').replace("0.2", "0.1").replace("barrier", "comm_dup").replace("MPI_COMM_WORLD", old)
                           for old, new in zip(names, names[1:]))
            self.trace(body, f"trace{rank}.xml", f"P{rank}", 'size="2"')
        status, out, err = self.run_program(str(self.path), "--validate")
        # Notes: calls with processes of another job have no match, and no communicator is freed.
        self.assertEqual((status, out.splitlines()[-1]), (0, "errors: 0; warnings: 0; notes: 40000"), err)
