"""The measures about waiting and messages, each straight from its definition in docs/measures.md."""
from collections import defaultdict

from table import percent, seconds
from trace import ranks_text


def base_name(file):
    return file.rpartition("/")[2]


def waits(run, waiting):
    rows = defaultdict(list)
    for w in waiting.waits:
        rows[w.cls, w.call.path].append(w)
    return [{"class": cls, "operation": of[0].call.name, "file": base_name(of[0].call.file), "line": of[0].call.line, "path": path,
             "processors": ranks_text(w.call.rank for w in of), "count": len(of),
             "time": seconds(sum(w.length for w in of)), "share": percent(sum(w.length for w in of), run.total),
             "worst": seconds(max(w.length for w in of))} for (cls, path), of in rows.items()]


waits.keys = ("class", "path")
