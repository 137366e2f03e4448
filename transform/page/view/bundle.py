#!/usr/bin/env python3
"""Make one script of the modules of the page, and C strings of it, the style and the frame.

bundle.py EMBED OUTPUT BUNDLE FRAME STYLE MODULE… : a module sees what the modules before it export. `import` and `export` are for
tools and tests; here all modules share one scope, so they are taken out, and a name may be defined once only."""
import pathlib
import re
import subprocess
import sys
import tempfile


def bundle(paths):
    names, parts = {}, []
    for path in paths:
        text = path.read_text(encoding="utf-8")
        text = re.sub(r"^import .*?;\n", "", text, flags=re.M | re.S)
        for name in re.findall(r"^(?:export )?(?:async )?(?:function\*?|class|const|let) (\w+)", text, re.M):
            if name in names:
                sys.exit(f"{path}: {name} is defined in {names[name]} already")
            names[name] = path
        parts.append(re.sub(r"^export ", "", text, flags=re.M))
    return '"use strict";\n(() => {\n' + "\n".join(parts) + "\n})();\n"


def main(embed, output, _bundle, frame, style, *modules):
    script = bundle([pathlib.Path(module) for module in modules])
    with tempfile.TemporaryDirectory() as folder:
        whole = pathlib.Path(folder) / "page.js"
        whole.write_text(script, encoding="utf-8")
        subprocess.run([sys.executable, embed, output, frame, style, str(whole)], check=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
