#!/usr/bin/env python3
"""A document's sessions are what the tool prints: every fenced `console` block is typed again, in order.

    check_sessions.py DOCUMENT --tool MILLRACE --data FOLDER [--refresh]
      --data     a folder whose files the sessions find in their own
      --refresh  writes into the document what is printed now

In a block, a line that begins with "$ " is a command (lines after one that ends with a backslash belong to it), and what
follows is what it prints: standard output, then standard error. `echo $?` gives the exit code of the command before. A
block of another language with a first line "# FILE" is written to that file. Times, rates and devices differ from machine to
machine and are not compared; numbers with a fraction agree to six digits, since devices round differently.
"""

import argparse
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"\A# (\S+\.\w+)\n")
PROMPT = re.compile(r"^\$ ((?:.*\\\n)*.*)\n", re.MULTILINE)
WORK = re.compile(r" in [0-9.]+ s \([0-9]+ rows per second\) on .*$", re.MULTILINE)
WORK_JSON = re.compile(r'("seconds": |"device": ).*$', re.MULTILINE)
FRACTION = re.compile(r"-?\d+\.\d+")


def words(text):
    text = WORK_JSON.sub(r"\1", WORK.sub(" in N s", text))
    return re.findall(r"[^\s,]+|,|\n", text)


def are_same(words_a, words_b):
    def same(a, b):
        if a == b:
            return True
        if not (FRACTION.fullmatch(a) or FRACTION.fullmatch(b)):
            return False
        try:
            return math.isclose(float(a), float(b), rel_tol=1e-6)
        except ValueError:
            return False

    return len(words_a) == len(words_b) and all(same(a, b) for a, b in zip(words_a, words_b))


class Shell:
    """Commands in one folder; the exit code of the last one is known to the next."""

    def __init__(self, folder, tool):
        path = os.pathsep.join([os.path.dirname(os.path.abspath(tool)), os.environ["PATH"]])
        self.folder = folder
        self.environment = {**os.environ, "PATH": path, "NODEVICE_SELECT": "1"}
        self.exit_code = 0

    def run(self, command):
        ended = subprocess.run(["bash", "-c", f"(exit {self.exit_code})\n{command}"], cwd=self.folder,
                               env=self.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                               check=False)
        self.exit_code = ended.returncode
        return ended.stdout + ended.stderr


def replay(shell, session):
    """The session as it runs now."""
    parts = PROMPT.split(session)
    if parts[0]:
        sys.exit(f"A session begins with a command, not with:\n{parts[0]}")
    text = ""
    for command, printed in zip(parts[1::2], parts[2::2]):
        output = shell.run(command)
        text += f"$ {command}\n" + (printed if are_same(words(output), words(printed)) else output)
    return text


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("document", type=pathlib.Path)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--refresh", action="store_true")
    arguments = parser.parse_args()
    document = arguments.document.read_text()
    with tempfile.TemporaryDirectory() as folder:
        for file in arguments.data.resolve().iterdir():
            os.symlink(file, pathlib.Path(folder, file.name))
        shell = Shell(folder, arguments.tool)
        refreshed, count, end = "", 0, 0
        for block in BLOCK.finditer(document):
            language, text = block.groups()
            named = FILE.match(text)
            if language == "console":
                text, count = replay(shell, text), count + 1
            elif named:
                pathlib.Path(folder, named.group(1)).write_text(text)
            refreshed += document[end:block.start()] + f"```{language}\n{text}```"
            end = block.end()
        refreshed += document[end:]
    if count == 0:
        sys.exit(f"{arguments.document} has no session.")
    if arguments.refresh:
        arguments.document.write_text(refreshed)
    elif refreshed != document:
        new = pathlib.Path(tempfile.mkdtemp(), arguments.document.name)
        new.write_text(refreshed)
        subprocess.run(["diff", "-u", str(arguments.document), str(new)], check=False)
        sys.exit(f"{arguments.document} does not say what the tool prints; look at the difference, then --refresh.")


if __name__ == "__main__":
    main()
