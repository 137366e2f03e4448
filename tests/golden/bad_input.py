#!/usr/bin/env python3
"""Bad input of every kind: one clear line, the right exit status, no crash, no hang, and what is sound is measured.

bad_input.py PROGRAM. What is too large to keep is made here, in a folder of its own."""
import gzip
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import unittest

PROGRAM = ""
TIMEOUT_S = 60
CALL = '<hieraMPI operation="barrier" file="a.c" line="1" start_time="0.1" finish_time="0.2" comm="MPI_COMM_WORLD"{}/>'
PACKERS = {".gz": gzip.compress}
if shutil.which("zstd"):
    PACKERS[".zst"] = lambda content: subprocess.run(["zstd", "-q"], input=content, capture_output=True, check=True).stdout
MESSAGE = re.compile(r"hiera-transform: \S.*: .+")


class BadInput(unittest.TestCase):
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
        done = subprocess.run([PROGRAM, *arguments], capture_output=True, stdin=subprocess.DEVNULL,
                              timeout=TIMEOUT_S, check=False, env={**os.environ, **environment})
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def expect_unreadable(self, *arguments, says=""):
        """Nothing can be measured: one line says why, with the file."""
        status, out, err = self.run_program(*arguments)
        self.assertEqual((status, out), (3, ""), err)
        self.assertEqual(len(err.splitlines()), 1, err)
        self.assertRegex(err, MESSAGE)
        self.assertIn(says, err)

    def expect_count(self, count, *arguments, status=0):
        """Barriers counted; standard error is returned."""
        actual, out, err = self.run_program(*arguments, "--format", "csv")
        self.assertEqual((actual, out), (status, f"level,operation,count\nmpi,barrier,{count}\n"), err)
        return err

    # --- what is no trace ---

    def test_binary_garbage(self):
        self.expect_unreadable(self.write(bytes(range(256)) * 4000), says="not well-formed")

    def test_zeros(self):
        self.expect_unreadable(self.write(bytes(1 << 20)))

    def test_a_fifo_does_not_hang(self):
        path = str(self.path / "trace0.xml")
        os.mkfifo(path)
        self.expect_unreadable(path, says="not a regular file")

    def test_a_device(self):
        self.expect_unreadable("/dev/zero", says="not a regular file")

    def test_a_link_to_itself(self):
        path = str(self.path / "trace0.xml")
        os.symlink(path, path)
        self.expect_unreadable(path, says="cannot be opened")

    def test_a_folder_listed_as_a_trace(self):
        (self.path / "trace0.xml").mkdir()
        self.write('<hieraCollector><collect_file rank="P0">trace0.xml</collect_file></hieraCollector>',
                   "hieraCollector.xml")
        self.expect_unreadable(self.folder.name, says="is a folder")

    def test_an_unreadable_file(self):
        path = self.trace(CALL.format(""))
        os.chmod(path, 0)
        if os.access(path, os.R_OK):
            self.skipTest("this user reads everything")
        self.expect_unreadable(path, says="cannot be opened")

    def test_a_configuration_that_lists_nothing(self):
        self.expect_unreadable(self.write("<hieraCollector/>", "hieraCollector.xml"), says="lists no trace")

    def test_a_configuration_that_lists_itself(self):
        self.write('<hieraCollector><collect_file rank="P0">hieraCollector.xml</collect_file></hieraCollector>',
                   "hieraCollector.xml")
        self.expect_unreadable(self.folder.name, says="is not a trace")

    # --- entities ---

    def test_an_entity_bomb(self):
        entities = "".join(f'<!ENTITY e{i} "{f"&e{i - 1};" * 10 if i else "lol"}">\n' for i in range(12))
        self.expect_unreadable(self.write(f"<!DOCTYPE processor [\n{entities}]>\n<processor rank='P0'>&e11;</processor>"),
                               says="entity")

    def test_a_parameter_entity_bomb(self):
        entities = "".join(f'<!ENTITY % e{i} "{f"%e{i - 1};" * 10 if i else "lol"}">\n' for i in range(12))
        self.expect_unreadable(self.write(f"<!DOCTYPE processor [\n{entities}%e11;]>\n<processor rank='P0'/>"),
                               says="entity")

    def test_external_entities(self):
        for system in ("file:///etc/passwd", "http://localhost:9/x", "/etc/hostname"):
            with self.subTest(system):
                self.expect_unreadable(
                    self.write(f'<!DOCTYPE processor [<!ENTITY x SYSTEM "{system}">]>\n<processor rank="P0">&x;</processor>'),
                    says="entity")

    def test_the_dtd_that_a_trace_names_is_not_read(self):
        self.write('<!ENTITY % boom "x"> not a DTD', "trace.dtd")
        path = self.write('<!DOCTYPE processor SYSTEM "trace.dtd">\n<processor rank="P0" init="0" finalize="1">'
                          + CALL.format("") + "</processor>")
        self.assertEqual(self.expect_count(1, path), "")

    def test_a_hole_that_a_crash_left(self):
        text = pathlib.Path(self.trace(CALL.format("") * 20_000)).read_bytes()
        for size in (len(text) // 2, 262144, 300000, 4096 * 70):
            with self.subTest(size):
                status, out, err = self.run_program(self.write(text[:size] + bytes(8192)), "--format", "csv")
                self.assertEqual(status, 0, err)
                self.assertIn("the trace ends here", err)
                self.assertEqual(int(out.split(",")[-1]), text[:size].count(b"/>"))

    # --- compressed ---

    def test_compressed_traces(self):
        text = pathlib.Path(self.trace(CALL.format("") * 20_000)).read_bytes()
        for suffix, pack in PACKERS.items():
            with self.subTest(suffix):
                self.assertEqual(self.expect_count(20_000, self.write(pack(text), "trace0.xml" + suffix)), "")
                half = pack(text[:1000]) + pack(text[1000:])
                self.assertEqual(self.expect_count(20_000, self.write(half, "members.xml" + suffix)), "")

    def test_compressed_traces_that_are_cut_or_damaged(self):
        text = pathlib.Path(self.trace("".join(CALL.format(f' x{i * 7919 % 10007}=""') for i in range(20_000)))).read_bytes()
        for suffix, pack in PACKERS.items():
            packed = pack(text)
            with self.subTest(suffix):
                cut = self.write(packed[:len(packed) // 2], "cut.xml" + suffix)
                status, out, err = self.run_program(cut, "--format", "csv")
                self.assertEqual(status, 0)
                self.assertIn("the trace ends here", err)
                self.assertGreater(int(out.split(",")[-1]), 1_000)
                damaged = packed[:len(packed) // 2] + b"\xff" * 1000 + packed[len(packed) // 2 + 1000:]
                status, out, err = self.run_program(self.write(damaged, "damaged.xml" + suffix), "--format", "csv")
                self.assertEqual(status, 3)
                self.assertRegex(err, "compressed data is damaged|not well-formed")

    def test_a_folder_whose_traces_were_compressed_by_hand(self):
        self.write(gzip.compress(pathlib.Path(self.trace(CALL.format(""))).read_bytes()), "trace0.xml.gz")
        (self.path / "trace0.xml").unlink()
        self.assertEqual(self.expect_count(1, self.folder.name), "")
        self.write('<hieraCollector><collect_file rank="P0">trace0.xml</collect_file></hieraCollector>', "hieraCollector.xml")
        self.assertEqual(self.expect_count(1, self.folder.name), "")

    # --- size ---

    def test_a_huge_attribute(self):
        body = CALL.format("") + CALL.format(' args="' + "x" * 100_000_000 + '"') + CALL.format("")
        path = self.trace(body)
        self.assertIn("exceeds the limit tag=16777216", self.expect_count(1, path, status=3))
        self.assertEqual(self.expect_count(3, path, "--limits", "tag=200M"), "")

    def test_a_huge_name(self):
        name = "f" * 50_000_000
        path = self.trace(CALL.format("").replace("a.c", name))
        status, out, err = self.run_program(path, "--measure", "operations", "--limits", "tag=200M", COLUMNS="80")
        self.assertEqual((status, err), (0, ""))
        self.assertTrue(all(len(line) <= 80 for line in out.splitlines()))

    def test_bombs_end_at_a_limit(self):
        """What is small on disk, and would take gigabytes or minutes."""
        deep = CALL.format("") + "<a>" * 1_000_001
        many = CALL.format("") + "<b " + " ".join(f'a{i}="1"' for i in range(91_000)) + "/>"
        model = "<!DOCTYPE processor [<!ELEMENT processor (" + "a|" * 10_000_000 + "a)>]>\n<processor rank='P0'/>"
        for body, limit in ((deep, "depth=1000000"), (many, "attributes=10000")):
            path = self.write(gzip.compress(f'<processor rank="P0" init="0" finalize="1">{body}</processor>'.encode()))
            self.assertIn(f"exceeds the limit {limit}", self.expect_count(1, path, "--validate", "-m", "counts", status=3))
        self.expect_unreadable(self.write(gzip.compress(model.encode())), says="exceeds the limit head=262144")

    def test_a_long_head(self):
        text = pathlib.Path(self.trace(CALL.format(""))).read_text(encoding="utf-8")
        path = self.write(f"<!-- {'x' * 1_000_000} -->\n{text}")
        self.expect_unreadable(path, says="exceeds the limit head=262144; if you trust the trace, raise it with --limits")
        self.assertEqual(self.expect_count(1, path, "--limits", "head=2M"), "")

    def test_many_attributes_are_checked_in_linear_time(self):
        body = "<hieraMPI " + " ".join(f'a{i}="1"' for i in range(91_000)) + "/>"
        status, out, _ = self.run_program("--validate", "--limits", "attributes=100k", self.trace(body))
        self.assertEqual(status, 1)
        self.assertIn("No declaration for attribute a999 ", out)
        self.assertIn("... and 90005 more of the same kinds: the first 1000 of each are listed\n", out)

    def test_a_grammar_in_the_trace(self):
        for declaration in ("<!ELEMENT processor ANY>", "<!ATTLIST processor x CDATA #IMPLIED>", "<!NOTATION n SYSTEM 'x'>"):
            self.expect_unreadable(self.write(f"<!DOCTYPE processor [{declaration}]>\n<processor rank='P0'/>"),
                                   says="declares a grammar")

    def test_more_traces_than_the_limit(self):
        self.trace(CALL.format(""))
        names = '<collect_file rank="P0">trace0.xml</collect_file>' * 3
        path = self.write(f"<hieraCollector>{names}</hieraCollector>", "hieraCollector.xml")
        status, _, err = self.run_program(path, "--limits", "files=2")
        self.assertEqual(status, 3)
        self.assertIn("lists more traces than the limit files=2", err)

    def test_limits_that_make_no_sense(self):
        for limits in ("", "tag", "tag=", "tag=1x", "height=3", "tag=99999999999999999999", "depth=1,"):
            status, out, err = self.run_program("--limits", limits, self.trace(CALL.format("")))
            self.assertEqual((status, out), (2, ""), limits)
            self.assertIn("tag head attributes depth files", err)

    def test_bytes_behind_the_end(self):
        """The tail of another job, with and without zero bytes before it."""
        whole = f'<processor rank="P0" init="0" finalize="1">{CALL.format("")}</processor>\n'.encode()
        for rest in (b"\0", b"\0</processor>", b"\0" * 4096 + b"<x/>\n", b"<x/>", b"\0" * 100_000 + b"x"):
            err = self.expect_count(1, self.write(whole + rest), status=3)
            self.assertRegex(err, "after the end|followed by|Extra content", rest[:20])

    def test_zero_bytes_inside(self):
        """Two jobs wrote into one file."""
        begin = f'<processor rank="P0" init="0" finalize="1">{CALL.format("")}'.encode()
        for zeros in (1, 63, 64, 100_000):
            err = self.expect_count(1, self.write(begin + bytes(zeros) + begin + b"</processor>\n"), status=3)
            self.assertRegex(err, "not well-formed")

    def test_what_is_broken_is_used_by_every_output_alike(self):
        path = self.trace(CALL.format("") + '<hieraMPI operation="send" operation="send"/>')
        target = self.path / "out"
        for asked in (("-m", "counts"), ("--validate",), ("--html", str(target / "page.html")), ("--export", f"graphml:{target}/g.xml"),
                      ("--export", f"full:{target}/full"), ("--export", f"compact:{target}/compact"), ("-m", "counts", "-o", str(target / "t"))):
            target.mkdir(exist_ok=True)
            status, out, err = self.run_program(path, *asked)
            self.assertEqual(status, 3, (asked, err))
            self.assertIn("not well-formed", out + err)
        files = sorted(p.name for p in target.rglob("*") if p.is_file() and p.suffix != ".dtd")
        self.assertEqual(files, ["g.xml", "hieraCollector.xml", "hieraCollector.xml", "page.html", "t", "trace0.xml", "trace0.xml", "visual.xsl", "visual.xsl"])
        self.assertIn("barrier", (target / "page.html").read_text(encoding="utf-8"))
        for spelling in ("full", "compact"):
            exported = str(target / spelling / "trace0.xml")
            self.assertEqual(self.run_program(exported, "--validate")[1].count("the trace ends here"), 1)

    def test_an_output_that_fails_leaves_what_was_there(self):
        target = self.path / "table"
        target.write_text("before")
        limited = 'ulimit -f 1; exec "$0" "$@"'
        path = self.trace("".join(CALL.format("").replace('line="1"', f'line="{i}"') for i in range(200)))
        done = subprocess.run(["sh", "-c", "trap '' XFSZ; " + limited, PROGRAM, "-m", "operations", "-o", str(target), path],
                              capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
        self.assertEqual((done.returncode, target.read_text()), (2, "before"), done.stderr)
        self.assertEqual(sorted(p.name for p in self.path.iterdir()), ["table", "trace0.xml"])

    def test_an_output_in_a_folder_that_is_closed(self):
        path, target = self.trace(CALL.format("")), self.path / "table"
        target.write_text("before")
        target.chmod(0o666)
        self.path.chmod(0o555)
        self.addCleanup(self.path.chmod, 0o755)
        other = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.access(self.path, os.W_OK) else []
        if other and (not shutil.which("setpriv") or subprocess.run([*other, PROGRAM, "--version"], capture_output=True, check=False).returncode):
            self.skipTest("root writes everywhere")
        done = subprocess.run([*other, PROGRAM, path, "-o", str(target)], capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("barrier", target.read_text())

    def test_an_output_that_is_mounted(self):
        path, target, outer = self.trace(CALL.format("")), self.path / "table", self.path / "outer"
        target.touch()
        outer.write_text("before, and longer than what is written now: " + "x" * 1000)
        space = ["unshare", "--mount", *([] if os.getuid() == 0 else ["--map-root-user"])]
        if not shutil.which("unshare") or subprocess.run([*space, "true"], capture_output=True, check=False).returncode:
            self.skipTest("no mount namespaces")
        script = 'mount --bind "$1" "$2" && exec "$0" "$3" -o "$2"'
        done = subprocess.run([*space, "sh", "-c", script, PROGRAM, outer, target, path], capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(outer.read_text(), "^level.*\nmpi +barrier +1\n$")
        self.assertEqual(sorted(p.name for p in self.path.iterdir()), ["outer", "table", "trace0.xml"])

    # --- a trace that is not complete yet ---

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
        os.utime(path, (0, 0))  # written before that process began: another one had its number
        self.assertNotIn("still runs", self.run_program("--validate", path)[1])
        self.assertNotIn("still runs", self.run_program("--validate", trace(child.pid, "elsewhere"))[1])
        child.kill()
        child.wait()
        self.assertNotIn("still runs", self.run_program("--validate", trace(child.pid))[1])

    def test_a_process_that_has_only_begun(self):
        """Whatever the parts of a second at which the machine, the process and the trace began."""
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

    def test_deep_nesting(self):
        depth = 100_000
        opened = '<hieraRegion level="app" operation="f" file="a.c" line="1" start_time="0.1" finish_time="0.2">\n'
        path = self.trace(opened * depth + "</hieraRegion>" * depth)
        status, out, err = self.run_program(path, "--measure", "levels", "--format", "csv")
        self.assertEqual((status, err), (0, ""))
        self.assertEqual(out.splitlines()[-1], f"0,{depth - 1},1")
        status, out, err = self.run_program(path, "--validate")
        self.assertEqual((status, out), (0, "errors: 0; warnings: 0; notes: 0\n"), err)
        status, out, err = self.run_program(path, "--measure", "profile", "--format", "csv")
        self.assertEqual((status, len(out.splitlines())), (0, depth + 2), err)
        self.assertLess(max(len(line) for line in out.splitlines()), 1000)
        status, out, err = self.run_program(path, "--measure", "walk-partners", "--format", "csv")
        self.assertEqual((status, len(out.splitlines())), (0, depth + 2), err)

    def test_errors_in_deep_elements_are_found_in_linear_time(self):
        n = 30_000
        opened = '<hieraRegion level="app" operation="f" file="a.c" line="1" start_time="0.1" finish_time="0.2">'
        path = self.trace(opened * n + (opened + "<b/></hieraRegion>") * n + "</hieraRegion>" * n)
        status, out, err = self.run_program(path, "--validate")
        self.assertEqual(status, 1, err)
        self.assertIn(f"element b is not declared ({n} times)", out)

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
        """Each is known once the one before is: a chain costs no more than as many beside each other."""
        for rank in range(2):
            names = ["MPI_COMM_WORLD", *(f"P{rank}_own_comm{i}" for i in range(20_000))]
            body = "".join(f'<hieraComm id="{new}" ranks="0-1" remote="?"/>\n' +
                           CALL.format(f' newcomm="{new}"').replace("barrier", "comm_dup").replace("MPI_COMM_WORLD", old)
                           for old, new in zip(names, names[1:]))
            self.trace(body, f"trace{rank}.xml", f"P{rank}", 'size="2"')
        status, out, err = self.run_program(str(self.path), "--validate")
        # All calls but the first of each rank wait for a process of another job, and nothing is freed.
        self.assertEqual((status, out.splitlines()[-1]), (0, "errors: 0; warnings: 0; notes: 40000"), err)

    # --- encodings ---

    def test_utf_16(self):
        text = '<?xml version="1.0" encoding="UTF-16"?>\n<processor rank="P0" init="0" finalize="1">' + CALL.format("") + \
               "</processor>"
        self.assertEqual(self.expect_count(1, self.write(text.encode("utf-16"))), "")

    def test_latin_1(self):
        text = '<?xml version="1.0" encoding="ISO-8859-1"?>\n<processor rank="P0" init="0" finalize="1">' + \
               CALL.format("").replace("a.c", "dinâmica.c") + "</processor>"
        status, out, err = self.run_program(self.write(text.encode("latin-1")), "--measure", "operations", "--format", "csv")
        self.assertEqual((status, err), (0, ""))
        self.assertIn("dinâmica.c", out)

    def test_broken_utf_8(self):
        path = self.trace(CALL.format(""))
        whole = pathlib.Path(path).read_bytes()
        err = self.expect_count(1, self.write(whole.replace(b"\n</", b"\xff\xfe" + CALL.format("").encode() + b"\n</")),
                                status=3)
        self.assertIn("not well-formed", err)

    # --- cut anywhere ---

    def test_a_trace_cut_at_every_byte(self):
        path = self.trace("\n".join([CALL.format(""), '<hieraRegion level="app" operation="f" file="a>b.c" line="2" '
                                     'start_time="0.3" finish_time="0.9">', CALL.format(' name="&lt;"'), "</hieraRegion>"]))
        whole = pathlib.Path(path).read_bytes()
        root = whole.index(b">") + 1
        for size in range(root, len(whole) - 1):
            status, out, err = self.run_program(self.write(whole[:size], "cut.xml"), "--format", "csv")
            counted = sum(int(line.split(",")[2]) for line in out.splitlines()[1:])
            complete = sum(whole[:size].count(end) for end in (b'WORLD"/>', b'&lt;"/>', b'0.9">'))
            self.assertEqual((status, counted), (0, complete), (size, whole[:size][-30:], err))
            self.assertRegex(err, r"cut\.xml:\d+: the trace ends here", size)

    def test_a_cut_before_the_root_is_complete_is_unreadable(self):
        whole = pathlib.Path(self.trace("")).read_bytes()
        for size in range(0, whole.index(b">") + 1):
            self.expect_unreadable(self.write(whole[:size], "cut.xml"))

    # --- ranks ---

    def test_absurd_ranks(self):
        for rank in ("P99999999999", "P-1", "P", "0", "", "P0x", "PP0"):
            with self.subTest(rank):
                self.expect_unreadable(self.trace(CALL.format(""), rank=rank), says="rank")

    def test_an_absurd_size_of_the_job(self):
        err = self.expect_count(1, self.trace(CALL.format(""), rest='size="2147483647"'))
        self.assertIn("1-2147483646", err)

    def test_nested_processors(self):
        err = self.expect_count(1, self.trace(CALL.format("") + '<processor rank="P1"/>'), status=3)
        self.assertIn("inside another element", err)

    # --- output ---

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


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main(verbosity=2)
