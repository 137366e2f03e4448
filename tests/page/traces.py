"""Traces generated for the tests of the page: many operations, deep nesting, hostile text."""

import os
import random

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE processor SYSTEM "trace.dtd">
<?xml-stylesheet type="application/xslt+xml" href="visual.xsl"?><?xml-stylesheet type="text/css" href="visual.css"?>
"""


def list_fewer(stylesheet, path):
    """Write a visual.xsl that lists a tenth of the operations, so that a short trace has too many. Returns the path."""
    with open(stylesheet, encoding="utf-8") as file:
        text = file.read()
    limit = '<xsl:variable name="limit" select="12000"/>'
    assert text.count(limit) == 1
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace(limit, limit.replace("12000", "1200")))
    return path


def _call(indent, operation, start_ns, length_ns, line, rest):
    return (f'{indent}<hieraMPI operation="{operation}" file="md.c" line="{line}" start_time="{start_ns / 1e9:.9f}" '
            f'finish_time="{(start_ns + length_ns) / 1e9:.9f}" {rest}/>\n')


def many(path, operations, flat=False):
    """A time-step loop: flat (MPI calls only), or with each four calls in a region. Returns the number of operations."""
    kinds = [("isend", 900, 210, 'count="512" type="MPI_DOUBLE" dest="1" tag="3" comm="MPI_COMM_WORLD" request="7" bytes="4096"'),
             ("irecv", 700, 212, 'count="512" type="MPI_DOUBLE" rem="3" tag="3" comm="MPI_COMM_WORLD" request="8" bytes="4096"'),
             ("waitall", 21000, 215, 'count="2" requests="7 8" sources="1 3" tags="3 3" sizes="4096 4096"'),
             ("allreduce", 14000, 231, 'count="1" type="MPI_DOUBLE" op="MPI_SUM" comm="MPI_COMM_WORLD" bytes="8" rbytes="8"')]
    now, done, out = 1000, 0, []
    while done < operations:
        begin, inner = now, []
        for operation, length, line, rest in kinds[:max(1, operations - done - (not flat))]:
            inner.append(_call("  " if flat else "    ", operation, now + 2000, length + 37 * (done % 91), line, rest))
            now += length + 6000
        done += len(inner)
        if not flat:
            out.append(f'  <hieraRegion level="app" operation="time step" file="md.c" line="200" '
                       f'start_time="{begin / 1e9:.9f}" finish_time="{now / 1e9:.9f}" args="n={len(out)}">\n')
            inner.append("  </hieraRegion>\n")
            done += 1
        out.append("".join(inner))
    with open(path, "w", encoding="utf-8") as file:
        file.write(HEAD + f'<processor rank="P0" init="0.000000000" finalize="{(now + 1000) / 1e9:.9f}" size="4" '
                   'application="md" job="a1" host="n1" pid="12" format="1">\n'
                   '  <hieraComm id="MPI_COMM_WORLD" ranks="0-3"/>\n' + "".join(out) + "</processor>\n")
    return done


def apart(folder):
    """A job of two ranks whose clocks differ: the first sends after the second has received, whose next call begins at once. Returns the folder."""
    os.mkdir(folder)
    what = 'count="1" type="MPI_INT" tag="0" comm="MPI_COMM_WORLD" bytes="4"'
    calls = [_call("  ", "send", 200000000, 100000000, 5, what + ' dest="1"'),
             _call("  ", "receive", 50000000, 50000000, 7, what + ' rem="0"') + _call("  ", "comm_rank", 100000000, 0, 8, 'comm="MPI_COMM_WORLD"')]
    for rank, text in enumerate(calls):
        with open(os.path.join(folder, f"trace{rank}.xml"), "w", encoding="utf-8") as file:
            file.write(HEAD + f'<processor rank="P{rank}" init="0" finalize="0.4" size="2" application="apart" job="a1" host="n{rank}" pid="12" format="1">\n'
                       f'  <hieraComm id="MPI_COMM_WORLD" ranks="0-1"/>\n{text}</processor>\n')
    return folder


def burst(folder, n):
    """A job of two ranks: the first sends n messages, the second receives them with one waitall. Returns the folder."""
    os.mkdir(folder)
    requests = " ".join(str(i + 1) for i in range(n))
    sends = [_call("  ", "send", 1000 + 100 * i, 50, 5, 'count="1" type="MPI_INT" dest="1" tag="0" comm="MPI_COMM_WORLD" bytes="4"') for i in range(n)]
    receives = [_call("  ", "irecv", 1000 + 10 * i, 5, 7, f'count="1" type="MPI_INT" rem="0" tag="0" comm="MPI_COMM_WORLD" request="{i + 1}"') for i in range(n)]
    receives.append(_call("  ", "waitall", 1000 + 10 * n, 100 * n, 9, f'count="{n}" requests="{requests}" sources="{" ".join(["0"] * n)}" '
                          f'tags="{" ".join(["0"] * n)}" sizes="{" ".join(["4"] * n)}"'))
    for rank, calls in enumerate((sends, receives)):
        with open(os.path.join(folder, f"trace{rank}.xml"), "w", encoding="utf-8") as file:
            file.write(HEAD + f'<processor rank="P{rank}" init="0.000000000" finalize="{(2000 + 110 * n) / 1e9:.9f}" size="2" application="burst" job="a1" '
                       'host="n1" pid="12" format="1">\n  <hieraComm id="MPI_COMM_WORLD" ranks="0-1"/>\n' + "".join(calls) + "</processor>\n")
    return folder


def pairs(folder, n, operations, every=1000):
    """A job of n ranks with as many operations each: steps in which each second rank receives from the one before it, and waits longer
    each time that `every` calls have gone by. Returns the folder."""
    os.mkdir(folder)
    for rank in range(n):
        now, out = 1000, []
        for step in range(operations // 3):
            late = 50000 + 10 * step if step % (every // 3) == 0 else 0
            peer = rank ^ 1
            kind, line, begin = ("send", 11, now + 300 + late) if rank % 2 == 0 else ("receive", 12, now + 100)
            rest = f'count="{8 + step % 7}" type="MPI_DOUBLE" {"dest" if rank % 2 == 0 else "rem"}="{peer}" tag="4" comm="MPI_COMM_WORLD" bytes="{8 * (8 + step % 7)}"'
            end = now + 700 + late
            out.append(f'<hieraRegion level="app" operation="step" file="md.c" line="10" start_time="{now / 1e9:.9f}" finish_time="{(end + 300) / 1e9:.9f}" args="i={step}">\n'
                       + _call("", kind, begin, end - begin, line, rest)
                       + _call("", "comm_rank", end + 50, 20 + step % 11, 13, 'comm="MPI_COMM_WORLD"') + "</hieraRegion>\n")
            now = end + 400
        with open(os.path.join(folder, f"trace{rank}.xml"), "w", encoding="utf-8") as file:
            file.write(HEAD + f'<processor rank="P{rank}" init="0.000000000" finalize="{(now + 1000) / 1e9:.9f}" size="{n}" application="pairs" job="j" format="1">\n'
                       f'<hieraComm id="MPI_COMM_WORLD" ranks="0-{n - 1}"/>\n' + "".join(out) + "</processor>\n")
    return folder


def noise(path, operations):
    """One rank whose calls follow no rule, so that they hardly compress."""
    now, dice = 1000, random.Random(5).random  # randint takes five times as long
    with open(path, "w", encoding="utf-8") as file:
        body = []
        for _ in range(operations):
            end = now + 100 + int(90000 * dice())
            body.append(f'<hieraMPI operation="wtime" file="n.c" line="{1 + int(40 * dice())}" start_time="{now / 1e9:.9f}" finish_time="{end / 1e9:.9f}"/>\n')
            now = end + 100 + int(30000 * dice())
        file.write(HEAD + f'<processor rank="P0" init="0.000000000" finalize="{(now + 1000) / 1e9:.9f}" size="1" application="noise" job="j" format="1">\n' + "".join(body) + "</processor>\n")


def ranks(folder, n):
    """A job of n ranks: the first sends to the second; all others do the same. Returns the folder."""
    os.mkdir(folder)
    for rank in range(n):
        call = ('<hieraMPI operation="send" file="a.c" line="3" start_time="1" finish_time="1.5" count="1" type="MPI_INT" dest="1" tag="0" comm="MPI_COMM_WORLD" bytes="4"/>' if rank == 0 else "")
        with open(os.path.join(folder, f"trace{rank}.xml"), "w", encoding="utf-8") as file:
            file.write(HEAD + f'<processor rank="P{rank}" init="0" finalize="10" size="{n}" application="many" job="j" format="1">\n'
                       f'<hieraComm id="MPI_COMM_WORLD" ranks="0-{n - 1}"/>\n{call}'
                       '<hieraRegion level="app" operation="step" file="a.c" line="5" start_time="2" finish_time="9">\n'
                       f'<hieraMPI operation="barrier" file="a.c" line="7" start_time="{3 + rank / n}" finish_time="8" comm="MPI_COMM_WORLD"/>\n'
                       '</hieraRegion>\n</processor>\n')
    return folder


HOSTILE = '"><script>window.hurt=1</script><img src=x onerror="window.hurt=2"><!--'


def hostile(path):
    """Names that would become markup, a script or a style if they were not escaped."""
    text = HOSTILE.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
    with open(path, "w", encoding="utf-8") as file:
        file.write(HEAD + f'<processor rank="P0" init="0" finalize="1" application="{text}" host="{text}">\n'
                   f'<hieraComm id="{text}" ranks="0"/><hieraLost count="1" reason="{text}"/>\n'
                   f'<hieraFiltered level="{text}" class="{text}" operation="{text}" comm="{text}" count="1"/>\n'
                   f'<hieraRegion level="{text}" operation="{text}" file="{text}" line="1" start_time="0.1" '
                   f'finish_time="0.2" args="{text}" two="first&#10;forged=line"/>\n'
                   f'<hieraRegion level="</style>" operation="x" file="&#233;.c" line="2" start_time="0.3" '
                   'finish_time="0.4"/>\n'
                   '<hieraRegion level="app" operation="&#x202E;gpj.exe" file="b.c" line="3" start_time="0.5" finish_time="0.6"/>\n</processor>\n'.replace("</style>", "&lt;/style>"))
