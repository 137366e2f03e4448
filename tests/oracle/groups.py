"""Groups of ranks that do the same operations (docs/measures.md, "imbalance", by group)."""
from counting import full_name
from parts import file_name
from trace import ranks_text

LONGEST_REPEAT = 32


def site(o):
    return o.level, o.cls, o.name, o.file, o.line


def collapsed(siblings):
    """Operations side by side as (what they do, the operation); a sequence that is repeated at once is there once."""
    found = []
    for o in siblings:
        found.append(((site(o), tuple(does for does, _ in collapsed(o.children))), o))
        for length in range(1, LONGEST_REPEAT + 1):
            last, before = found[-length:], found[-2 * length:-length]
            if len(before) == length and [does for does, _ in last] == [does for does, _ in before]:
                del found[-length:]
                break
    return found


def words(o):
    if o is None:
        return "end"
    return full_name(o) + (f" {file_name(o.file)}" if o.file else "") + (f":{o.line}" if o.line else "")


def part(first, own):
    """Where two ranks part: the operation around, and what each of them does then; None: nothing more."""
    around, theirs, mine = None, first.outermost, own.outermost
    while True:
        a, b = collapsed(theirs), collapsed(mine)
        at = next(i for i in range(len(a) + 1) if a[i:i + 1] == [] or b[i:i + 1] == [] or a[i][0] != b[i][0])
        other, o = (found[at][1] if at < len(found) else None for found in (a, b))
        if other is None or o is None or site(other) != site(o):
            return around, other, o
        around, theirs, mine = o, other.children, o.children


def number(p, around, o):
    """Of an operation among all of its rank, from 1; of none, that of the next one if it were there."""
    if o is None and around is None:
        return len(p.operations) + 1
    inner = around
    while o is None and inner.children:
        inner = inner.children[-1]
    return p.operations.index(o or inner) + (1 if o else 2)


def by_group(run, waiting):
    found = {}
    for p in run.processors:
        found.setdefault(tuple(does for does, _ in collapsed(p.outermost)), []).append(p)
    order, result = sorted(found.values(), key=lambda of: (-len(of), of[0].rank)), []
    for i, of in enumerate(order):
        row = {"group": i + 1, "processors": ranks_text(p.rank for p in of), "count": len(of), "operations": sum(len(p.main) for p in of),
               "path": "", "index": 0, "operation": "", "first_group": ""}
        if i > 0:
            around, other, o = part(order[0][0], of[0])
            row.update(path=around.path if around else "", index=number(of[0], around, o), operation=words(o), first_group=words(other))
        result.append(row)
    return result


by_group.keys = ("group",)
