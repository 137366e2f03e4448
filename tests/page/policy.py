"""The page's Content-Security-Policy allows the page's own script and style, and nothing else.

use: policy.py HIERA_TRANSFORM; on failure it prints the hashes that dtd/visual.xsl must have"""

import base64
import hashlib
import os
import re
import subprocess
import sys

TRACE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "nested.xml")


def hash_of(page, element):
    text = re.search(f"<{element}>(.*?)</{element}>", page, re.S).group(1)
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def main(transform):
    done = subprocess.run([transform, TRACE, "--html", "-"], capture_output=True, text=True, encoding="utf-8", timeout=60, check=True)
    found = re.search(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)"', done.stdout)
    if not found:
        sys.exit("the page has no Content-Security-Policy")
    policy = dict(part.strip().split(" ", 1) for part in found.group(1).split(";"))
    expected = {"default-src": "'none'", "script-src": hash_of(done.stdout, "script"), "style-src-elem": hash_of(done.stdout, "style")}
    wrong = {name: value for name, value in expected.items() if policy.get(name) != value}
    for name, value in wrong.items():
        print(f"{name}: expected {value}, actual {policy.get(name)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
