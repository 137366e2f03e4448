#!/usr/bin/env python3
"""Traces of any size, valid and fully matched: gen_traces.py FOLDER RANKS CALLS writes one trace per rank with at least
CALLS operations. Each step is an exchange with both neighbours in a ring (isend, irecv, waitall) and an allreduce, inside
a region, so that every kind of edge of the graph is there."""
import os
import sys

STEP_NS = 20_000
CALLS_PER_STEP = 5
HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE processor SYSTEM "trace.dtd">
<?xml-stylesheet type="text/xsl" href="visual.xsl"?>
<processor rank="P{rank}" init="0.000000000" finalize="{finalize}" size="{ranks}" application="ring" job="ring" format="1">
  <hieraComm id="MPI_COMM_WORLD" ranks="0-{last}"/>
"""
STEP = """  <hieraRegion level="app" operation="step" file="ring.c" line="10" start_time="{t[0]}" finish_time="{t[9]}">
    <hieraMPI operation="irecv" file="ring.c" line="11" start_time="{t[1]}" finish_time="{t[2]}" count="128" type="MPI_DOUBLE" rem="{left}" tag="7" comm="MPI_COMM_WORLD" request="{r0}"/>
    <hieraMPI operation="isend" file="ring.c" line="12" start_time="{t[3]}" finish_time="{t[4]}" count="128" type="MPI_DOUBLE" dest="{right}" tag="7" comm="MPI_COMM_WORLD" bytes="1024" request="{r1}"/>
    <hieraMPI operation="waitall" file="ring.c" line="13" start_time="{t[5]}" finish_time="{t[6]}" count="2" requests="{r0} {r1}" sources="{left} -" tags="7 -" sizes="1024 -"/>
    <hieraMPI operation="allreduce" file="ring.c" line="14" start_time="{t[7]}" finish_time="{t[8]}" count="1" type="MPI_DOUBLE" op="MPI_SUM" comm="MPI_COMM_WORLD" bytes="8" rbytes="8"/>
  </hieraRegion>
"""


def seconds(ns):
    return f"{ns // 10**9}.{ns % 10**9:09d}"


def write_trace(folder, rank, ranks, steps):
    with open(os.path.join(folder, f"trace{rank}.xml"), "w", encoding="utf-8") as out:
        out.write(HEAD.format(rank=rank, ranks=ranks, last=ranks - 1, finalize=seconds((steps + 1) * STEP_NS)))
        for step in range(steps):
            times = [seconds(step * STEP_NS + i * STEP_NS // 10) for i in range(10)]
            out.write(STEP.format(t=times, left=(rank - 1) % ranks, right=(rank + 1) % ranks,
                                  r0=2 * step + 1, r1=2 * step + 2))
        out.write("</processor>\n")


def main(folder, ranks, calls):
    os.makedirs(folder, exist_ok=True)
    steps = -(-int(calls) // CALLS_PER_STEP)
    for rank in range(int(ranks)):
        write_trace(folder, rank, int(ranks), steps)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
