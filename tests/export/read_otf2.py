"""What otf2-print, a tool of libotf2, says about an archive."""
import os
import re
import subprocess
from collections import namedtuple
from functools import cached_property

Event = namedtuple("Event", "kind location time text attributes")
DEFINITION = re.compile(r"^([A-Z_]+) +(\d+)  (.*)$")
EVENT = re.compile(r"^([A-Z_]+) +(\d+) +(\d+)  (.*)$")
ATTRIBUTE = re.compile(r'\("hiera:([^"]*)" <\d+>; ([A-Z0-9]+); (?:"(.*?)" <\d+>|(-?\d+))\)(?=, \("hiera:|$)')


# Meson has each byte of memory filled, also where that is not a program of Hiera; libotf2 takes 16 MB for a location.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "MALLOC_PERTURB_"}


def run(*arguments):
    done = subprocess.run(["otf2-print", *arguments], capture_output=True, timeout=120, env=ENVIRONMENT)
    text = done.stdout.decode("utf-8", "surrogateescape")
    assert done.returncode == 0 and done.stderr == b"", f"otf2-print: {done.returncode}: {done.stderr!r}"
    return text


class Archive:
    def __init__(self, folder):
        self.anchor, self.events = str(folder / "traces.otf2"), []
        for line in run(self.anchor).splitlines():
            if match := EVENT.match(line):
                self.events.append(Event(match[1], int(match[2]), int(match[3]), match[4].rstrip(), {}))
            elif "ADDITIONAL ATTRIBUTES: " in line:
                for name, _, text, number in ATTRIBUTE.findall(line.split("ADDITIONAL ATTRIBUTES: ", 1)[1]):
                    self.events[-1].attributes[name] = text or number

    @cached_property
    def definitions(self):
        """Kind of definition -> number -> text."""
        found = {}
        for line in run("-G", self.anchor).splitlines():
            if match := DEFINITION.match(line):
                found.setdefault(match[1], {})[int(match[2])] = match[3]
        return found

    def region(self, event):
        """The canonical name of the region of an Enter or Leave: the operation."""
        number = int(re.search(r"<(\d+)>$", event.text)[1])
        return re.search(r'Aka\. "(.*)" <\d+>\), Descr\.', self.definitions["REGION"][number])[1] \
            if "Aka." in self.definitions["REGION"][number] else \
            re.search(r'Name: "(.*?)" <', self.definitions["REGION"][number])[1]

    def count(self, *kinds):
        return sum(event.kind in kinds for event in self.events)
