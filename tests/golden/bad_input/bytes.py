"""Bytes that are not XML, and traces that end too early: everything before them is measured."""

import pathlib

from bad_input.case import BadInput, CALL


class Bytes(BadInput):
    def test_zero_bytes_left_by_a_crash(self):
        text = pathlib.Path(self.trace(CALL.format("") * 20_000)).read_bytes()
        for size in (len(text) // 2, 262144, 300000, 4096 * 70):
            with self.subTest(size):
                status, out, err = self.run_program(self.write(text[:size] + bytes(8192)), "--format", "csv")
                self.assertEqual(status, 0, err)
                self.assertIn("the trace ends here", err)
                self.assertEqual(int(out.split(",")[-1]), text[:size].count(b"/>"))

    def test_bytes_after_the_end(self):
        """The end of another job's trace follows, with and without zero bytes before it."""
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
