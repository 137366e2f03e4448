#!/usr/bin/env python3
"""Files → C strings: embed.py OUTPUT NAME=FILE… writes one `const char NAME[]` for each; an empty FILE makes "". """
import sys


def c_bytes(data):
    lines = [data[i:i + 24] for i in range(0, len(data), 24)]
    return "".join("    " + "".join(f"{byte}, " for byte in line).rstrip() + "\n" for line in lines)


def main(output, *pairs):
    with open(output, "w", encoding="utf-8") as out:
        out.write('#include "data.h"\n')
        for pair in pairs:
            name, _, path = pair.partition("=")
            data = open(path, "rb").read() if path else b""
            out.write(f"\nconst char {name}[] = {{\n{c_bytes(data)}    0}};\n")


main(*sys.argv[1:])
