"""The first screen of the page of --html, in a real browser: what it says of the run, and where its links lead.

use: test_first_screen.py HIERA_TRANSFORM OUTPUT_FOLDER
Exit: 0 good, 1 a check failed, 77 Chromium is missing."""

import json
import os
import re

from reports import GOLDEN, main, measured, texts


def ranks_of(sentence):
    """The ranks that a sentence lets wait; None if it names too many."""
    words = re.search(r"rank(?:s)? ([-0-9 …]+?)(?:,| wait)", sentence.split(" let")[-1])
    if not words or "…" in words[1]:
        return None
    parts = [part.split("-") for part in words[1].split()]
    return {rank for part in parts for rank in range(int(part[0]), int(part[-1]) + 1)}


def the_run_time_is_that_of_the_measures(check, site):
    """A run has one run time. Where operations are before or after it, the page says what else the timeline shows."""
    b = site.browser
    for trace, part, shown, beyond in (("late", [], "10.0\u00a0s", []), ("early", [], "8.90\u00a0s", ["9.00\u00a0s"]),
                                       ("early", ["--from", "1", "--to", "8"], "7.00\u00a0s", [])):
        folder = os.path.join(GOLDEN, "traces", trace)
        site.page("time.html", folder, *part)
        facts = dict(zip(texts(b, ".facts dt"), texts(b, ".facts dd")))
        check.equal(f"{trace} {part}: run time", shown, facts["run time"])
        check.equal(f"{trace} {part}: as the efficiencies have it", shown.split("\u00a0")[0], f"{measured(site, folder, 'efficiency', *part)[0]['time']:.2f}"[:4])
        check.true(f"{trace} {part}: as the summary has it", shown.replace("\u00a0", " ") in texts(b, "#summary [data-topic=Run] li")[0], texts(b, "#summary [data-topic=Run] li"))
        said = texts(b, "#overview .beyond")
        check.equal(f"{trace} {part}: whether the timeline shows more", len(beyond), len(said))
        check.true(f"{trace} {part}: how long it is", all(time in text for time, text in zip(beyond, said)), said)


def profiles_have_no_parts_of_single_operations(check, site):
    """A trace that went over to sums at a limit has them, with a word."""
    b = site.browser
    folder = os.path.join(GOLDEN, "profiles", "ring")
    site.page("profile.html", folder)
    shown = b.js("return [...document.querySelectorAll('main > section, nav a')].filter((e) => !e.hidden).map((e) => e.id || e.getAttribute('href'))")
    parts = ["overview", "matrix-part", "histograms-part", "tables-part"]
    check.equal("profile: parts", [f"#{part}" for part in parts] + parts, shown)
    facts = dict(zip(texts(b, ".facts dt"), texts(b, ".facts dd")))
    counted = sum(row["count"] for row in measured(site, folder, "counts"))
    check.equal("profile: facts", (f"{counted:,}", False), (facts["operations"], "messages" in facts))
    check.true("profile: a word", "These traces are profiles" in texts(b, ".sums")[0], texts(b, ".sums"))
    b.js("document.querySelector('.sums a').click()")
    b.wait("document.querySelector('#tables details[open]')")
    site.page("limit.html", os.path.join(GOLDEN, "profiles", "limit"))
    check.true("limit: a word", "recording limit" in texts(b, ".sums")[0], texts(b, ".sums"))
    check.equal("limit: the timeline", False, b.js("return document.getElementById('timeline-part').hidden"))
    site.page("whole.html", os.path.join(GOLDEN, "traces", "late"))
    check.equal("singles: no word", [], texts(b, ".sums"))


def remarks_are_counted(check, site):
    site.page("remarks.html", os.path.join(GOLDEN, "traces", "early"))
    check.equal("one remark", ["1 remark on the traces"], texts(site.browser, ".warnings summary"))


def each_sentence_on_waits_leads_to_its_longest_wait(check, site):
    """The link opens the longest wait of the class and place that the sentence names, on a rank that it names."""
    b = site.browser
    for trace in ("late", "tree", "chain", "overlap", "steps", "forms"):
        folder = os.path.join(GOLDEN, "traces", trace)
        site.page("sentences.html", folder)
        said = [text for text in texts(b, "#summary [data-topic=Waits] li") if "(" in text]
        check.equal(f"{trace}: each sentence is a link", len(said), len(texts(b, "#summary [data-topic=Waits] li button")))
        for i, sentence in enumerate(said):
            b.js("hiera.timeline.choose(null); document.querySelectorAll('#summary [data-topic=Waits] li button')[arguments[0]].click()", i)
            b.wait("hiera.timeline.chosen && document.querySelector('#operation .why')")
            name, rank, waits = b.js("""const {head, chosen} = hiera.timeline, waits = hiera.waits.list.filter((one) => one.at.row === chosen.row);
                return [head.sites[chosen.site].name, head.lanes[chosen.lane].rank, waits.map((one) => [head.classes[one.class], one.duration])];""")
            check.true(f"{trace}: {sentence}: the operation", f" in {name}" in sentence, name)
            check.true(f"{trace}: {sentence}: the rank", ranks_of(sentence) is None or rank in ranks_of(sentence), rank)
            check.true(f"{trace}: {sentence}: the class", any(f"({word})" in sentence for word, _ in waits), waits)


def rules_lead_to_their_first_violation(check, site):
    """A row for each rule of --assert, and for each assertion in the source."""
    folder = os.path.join(GOLDEN, "traces", "asserted")
    check_rules(check, site, folder, "--assert", os.path.join(folder, "rules.txt"))
    check_rules(check, site, os.path.join(GOLDEN, "traces", "source-assertions"))
    site.page("rules.html", folder)
    check.equal("no rules: no section", [], texts(site.browser, "#rules-part") + texts(site.browser, "nav a[href='#rules-part']"))


def check_rules(check, site, folder, *rules):
    """The rows are those of the measure; the link opens the execution that the table names."""
    b = site.browser
    done = json.loads(site.run(folder, *rules, "--measure", "assertions", "--format", "json").stdout)["assertions"]
    site.page("rules.html", folder, *rules)
    check.equal("rules: a row each", [row["assertion"] for row in done], texts(b, "#rules tbody code"))
    check.equal("rules: verdicts", [row["verdict"] for row in done], texts(b, "#rules tbody td:nth-child(2)"))
    check.equal("rules: violated", [str(row["failed"]) for row in done], texts(b, "#rules tbody td:nth-child(4)"))
    placed = [i for i, row in enumerate(done) if row["first-start"]]
    check.equal("rules: links", len(placed), len(texts(b, "#rules tbody button")))
    for link, i in enumerate(placed):
        b.js("hiera.timeline.choose(null); document.querySelectorAll('#rules tbody button')[arguments[0]].click()", link)
        b.wait("hiera.timeline.chosen")
        rank, begin = b.js("const {head, chosen} = hiera.timeline; return [head.lanes[chosen.lane].rank, chosen.begin + Number(head.run.begin)]")
        check.equal(f"rules: {done[i]['assertion']}: the rank", int(done[i]["first-rank"]), rank)
        check.equal(f"rules: {done[i]['assertion']}: the begin", round(float(done[i]["first-start"]) * 1e9), begin)


TESTS = [each_sentence_on_waits_leads_to_its_longest_wait, the_run_time_is_that_of_the_measures, profiles_have_no_parts_of_single_operations, remarks_are_counted, rules_lead_to_their_first_violation]


if __name__ == "__main__":
    main(__doc__, TESTS)
