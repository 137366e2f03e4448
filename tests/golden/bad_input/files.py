"""Files that are not traces, and configuration files without traces."""

import os

from bad_input.case import BadInput, CALL


class Files(BadInput):
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
            self.skipTest("this user can read every file")
        self.expect_unreadable(path, says="cannot be opened")

    def test_an_empty_configuration(self):
        self.expect_unreadable(self.write("<hieraCollector/>", "hieraCollector.xml"), says="lists no trace")

    def test_a_configuration_that_lists_itself(self):
        self.write('<hieraCollector><collect_file rank="P0">hieraCollector.xml</collect_file></hieraCollector>',
                   "hieraCollector.xml")
        self.expect_unreadable(self.folder.name, says="is not a trace")

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

    def test_a_time_before_the_start(self):
        """It is told if the error of the clock does not explain it."""
        for error, told in ("0.25", True), ("0.35", False):
            path = self.trace(CALL.format(""), rest=f'size="1" clock="n" clock_error="{error}" clock_offset="-0.3" clock_drift="0"')
            self.assertEqual("before the job's common start" in self.expect_count(1, path), told, error)
