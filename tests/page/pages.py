"""What stands in a page of --html, read without a browser."""

import base64
import json
import pathlib
import re
import zlib

BLOCK = re.compile(r'<script type="text/hiera" id="block-([^"]+)">([^<]*)</script>')


def blocks(path):
    """Name of each block -> its bytes, inflated."""
    text = pathlib.Path(path).read_text(encoding="utf-8")
    return {name: zlib.decompress(base64.b64decode(content), -15) for name, content in BLOCK.findall(text)}


def text(path):
    """All that the page says in words: its blocks in JSON."""
    found = blocks(path)
    return "".join(found[name].decode() for name in ("head", "tables"))


def json_block(path, name):
    return json.loads(blocks(path)[name])
