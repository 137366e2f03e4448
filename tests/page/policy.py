"""The Content-Security-Policy of a page allows its own script and style, and nothing else.

use: policy.py HIERA_TRANSFORM STYLESHEET: checks the page of --html, and the page that the stylesheet of traces makes;
on failure it prints the hash that dtd/visual.xsl must have"""

import base64
import hashlib
import os
import re
import shutil
import subprocess
import sys

TRACE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "nested.xml")


def hash_of(page, element):
    text = re.search(f"<{element}>(.*?)</{element}>", page, re.S).group(1)
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def count_wrong(what, elements, *command):
    page = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=60, check=True).stdout
    found = re.search(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    if not found:
        sys.exit(f"{what} has no Content-Security-Policy")
    policy = dict(part.strip().split(" ", 1) for part in found.group(1).split(";"))
    expected = {"default-src": "'none'", **{directive: hash_of(page, element) for directive, element in elements.items()}}
    wrong = {name: value for name, value in expected.items() if policy.get(name) != value}
    for name, value in wrong.items():
        print(f"{what}: {name}: expected {value}, actual {policy.get(name)}")
    return len(wrong)


def main(transform, stylesheet):
    wrong = count_wrong("the page of --html", {"script-src": "script", "style-src-elem": "style"}, transform, TRACE, "--html", "-", "--quiet")
    if shutil.which("xsltproc"):
        wrong += count_wrong("the page of the stylesheet", {"style-src-elem": "style"}, "xsltproc", "--novalid", stylesheet, TRACE)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
