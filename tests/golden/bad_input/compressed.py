"""Compressed traces: cut, damaged, renamed."""

import gzip
import pathlib

from bad_input.case import BadInput, CALL, PACKERS


class Compressed(BadInput):
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

    def test_traces_compressed_after_the_run(self):
        self.write(gzip.compress(pathlib.Path(self.trace(CALL.format(""))).read_bytes()), "trace0.xml.gz")
        (self.path / "trace0.xml").unlink()
        self.assertEqual(self.expect_count(1, self.folder.name), "")
        self.write('<hieraCollector><collect_file rank="P0">trace0.xml</collect_file></hieraCollector>', "hieraCollector.xml")
        self.assertEqual(self.expect_count(1, self.folder.name), "")
