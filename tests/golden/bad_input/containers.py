"""Containers: read as the traces that they hold; damage costs one rank the rest of its trace, and is named."""

import csv
import gzip
import io
import pathlib
import random
import re
import sys
import time

from bad_input.case import BadInput, CALL

TOP = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TOP.parent / "mpi"))

from expect.container import PAGE, Container, torn, write  # noqa: E402

RANKS, CALLS, MUTATIONS = 3, 400, 60


def traces_of(folder):
    return {int(re.search(r"\d+", path.name)[0]): path.read_bytes() for path in folder.glob("trace*.xml")}


def trace_of(rank, calls=CALLS):
    body = "\n".join([CALL.format("")] * calls)
    return f'<processor rank="P{rank}" init="0" finalize="1" size="{RANKS}">\n{body}\n</processor>\n'.encode()


class Containers(BadInput):
    def container(self, traces, name="traces0.hiera"):
        write(self.path / name, traces)
        return str(self.path / name)

    def several(self):
        path = self.container({rank: trace_of(rank) for rank in range(RANKS)})
        return path, bytearray(pathlib.Path(path).read_bytes()), Container(path)

    def counts(self, *arguments):
        """{rank: number of calls}, exit status and messages"""
        status, out, err = self.run_program(*arguments, "--measure", "operations", "--format", "csv")
        self.assertNotIn("assert", err)
        found = {}
        for row in csv.DictReader(io.StringIO(out)):
            found[int(row["processor"])] = found.get(int(row["processor"]), 0) + int(row["count"])
        return found, status, err

    def test_a_container_is_its_traces(self):
        for folder in (TOP / "figure4", TOP / "traces" / "grid"):
            with self.subTest(folder.name):
                path = self.container(traces_of(folder))
                for asked in (["--measure", "counts,profile,matrix,waits", "--format", "json"], ["--validate"]):
                    alone, shared = self.run_program(str(folder), *asked), self.run_program(path, *asked)
                    self.assertEqual((shared[0], re.sub(r"traces0\.hiera#(\d+)", r"trace\1.xml", shared[1]).replace(self.folder.name, str(folder))), alone[:2], shared[2])

    def test_it_is_exported_as_single_traces(self):
        traces = traces_of(TOP / "figure4")
        made = [self.path / "alone", self.path / "shared"]
        for target, source in zip(made, (TOP / "figure4", self.container(traces))):
            status, _, err = self.run_program(str(source), "--export", f"full:{target}", "--quiet")
            self.assertEqual((status, err), (0, ""))
        self.assertEqual(sorted(path.name for path in made[0].iterdir()), sorted(path.name for path in made[1].iterdir()))
        for path in made[0].iterdir():
            self.assertEqual(path.read_bytes(), (made[1] / path.name).read_bytes(), path.name)

    def test_one_trace_of_it_is_named_by_its_rank(self):
        path, _, _ = self.several()
        self.assertEqual(self.counts(path + "#1")[0], {1: CALLS})
        self.expect_unreadable(path + "#7", says="the container has no trace of rank 7")
        self.expect_unreadable(str(self.path / "traces9.hiera#0"), says="cannot be opened")

    def test_traces_in_it_may_be_compressed(self):
        path = self.container({rank: gzip.compress(trace_of(rank)) for rank in range(RANKS)})
        self.assertEqual(self.expect_count(RANKS * CALLS, path), "")

    def test_folders_and_lists_of_containers(self):
        self.container({0: trace_of(0), 1: trace_of(1)})
        self.container({2: trace_of(2)}, "traces2.hiera")
        self.assertEqual(self.expect_count(RANKS * CALLS, self.folder.name), "")
        self.write('<hieraCollector><collect_file rank="P2">traces2.hiera</collect_file></hieraCollector>', "hieraCollector.xml")
        self.assertIn("traces are missing for: 0-1", self.expect_count(CALLS, self.folder.name))

    def test_containers_of_4096_ranks(self):
        traces = {rank: trace_of(rank, 2).replace(b'size="3"', b'size="4096"') for rank in range(4096)}
        for each in (64, 4096):
            folder = self.path / str(each)
            folder.mkdir()
            for first in range(0, 4096, each):
                write(folder / f"traces{first}.hiera", {rank: traces[rank] for rank in range(first, first + each)})
            began = time.monotonic()
            self.assertEqual(self.expect_count(2 * 4096, str(folder)), "")
            print(f"4096 ranks, {each} in a file: {time.monotonic() - began:.2f} s", file=sys.stderr)

    def test_damaged_blocks(self):
        path, data, container = self.several()
        chain = list(container.chain(1))
        self.assertGreater(len(chain), 3)
        for at, least in ((chain[2].offset + 200, 1), (chain[2].offset + 30, 1), (chain[0].offset + 20, 0)):
            broken = bytearray(data)
            broken[at] ^= 16
            found, status, err = self.counts(self.write(bytes(broken), "traces0.hiera"))
            self.assertEqual((status, found[0], found[2]), (3, CALLS, CALLS), err)
            self.assertTrue(least <= found.get(1, 0) < CALLS, found)
            self.assertIn(f"at byte {max(e.offset for e in chain if e.offset <= at)}", err)
            self.assertRegex(err, "trace of rank 1 is lost|2 of 3 ranks are found")
        self.assertEqual(len(path), len(str(self.path)) + 14)

    def test_damaged_first_page_costs_nothing(self):
        _, data, _ = self.several()
        for at in (3, PAGE - 20):
            broken = bytearray(data)
            broken[at] ^= 16
            found, status, err = self.counts(self.write(bytes(broken), "traces0.hiera"))
            self.assertEqual(found, {rank: CALLS for rank in range(RANKS)}, err)
            self.assertEqual((status, "its first page is damaged" in err), (3, True) if at > 3 else (0, False), err)

    def test_a_container_that_is_cut(self):
        _, data, container = self.several()
        last = max(container.extents)
        found, status, err = self.counts(self.write(bytes(data[:last + 100]), "traces0.hiera"))
        rank = container.extents[last].rank
        self.assertEqual((status, [found[r] for r in range(RANKS) if r != rank]), (3, [CALLS] * (RANKS - 1)), err)
        self.assertIn(f"the trace of rank {rank} is lost from its byte", err)
        for length in (0, 10, PAGE, PAGE + 100):
            status, out, err = self.run_program(self.write(bytes(data[:length]), "traces0.hiera"))
            self.assertEqual((status, out), (3, ""), err)

    def test_a_block_that_was_not_written_whole(self):
        """A process was killed while it appended one: the next block may begin anywhere."""
        for written in (80, 81, 1500, PAGE):
            path = str(self.path / "traces0.hiera")
            write(path, {rank: trace_of(rank) for rank in range(RANKS)}, before=torn(0, written))
            found, status, err = self.counts(path)
            self.assertEqual((found, status, err), ({rank: CALLS for rank in range(RANKS)}, 0, ""))

    def test_random_damage(self):
        """Whatever a byte becomes: no crash, and the ranks whose blocks are whole have all of their calls."""
        _, data, container = self.several()
        numbers = random.Random(7)
        for _ in range(MUTATIONS):
            broken, hurt = bytearray(data), set()
            for _ in range(numbers.randint(1, 3)):
                extent = container.extents[numbers.choice(list(container.extents))]
                at = extent.offset + (numbers.randrange(80) if numbers.random() < 0.5 else numbers.randrange(extent.bytes))
                broken[at] = numbers.choice((0, 255, broken[at] ^ 1 << numbers.randrange(8), numbers.randrange(256)))
                if broken[at] != data[at]:
                    hurt.add(extent.rank)
            found, status, err = self.counts(self.write(bytes(broken), "traces0.hiera"))
            self.assertEqual(status, 3 if hurt else 0, err)
            self.assertEqual({rank: found.get(rank) for rank in range(RANKS) if rank not in hurt},
                             {rank: CALLS for rank in range(RANKS) if rank not in hurt}, err)
