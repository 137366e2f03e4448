"""The first screen of the page of --html, in a real browser: what it says of the run, and where its links lead.

use: test_first_screen.py HIERA_TRANSFORM OUTPUT_FOLDER
Exit: 0 good, 1 a check failed, 77 Chromium is missing."""

import os

from reports import GOLDEN, main, measured, texts


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


def remarks_are_counted(check, site):
    site.page("remarks.html", os.path.join(GOLDEN, "traces", "early"))
    check.equal("one remark", ["1 remark on the traces"], texts(site.browser, ".warnings summary"))


TESTS = [the_run_time_is_that_of_the_measures, remarks_are_counted]


if __name__ == "__main__":
    main(__doc__, TESTS)
