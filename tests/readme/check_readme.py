#!/usr/bin/env python3
"""README.md says what is true: its C++ program is examples/infer_and_run.cpp, and its smallest input gives its output.

    check_readme.py README [--program INFER_AND_RUN] [--tool MILLRACE]
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile


def blocks(text, language):
    """The fenced blocks of a language, without their fences."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def check_program(readme, example):
    program = next(block for block in blocks(readme, "cpp") if "int main()" in block)
    body = re.sub(r"\A(//[^\n]*\n)+", "", example)  # the example says first what it shows
    if program != body:
        sys.exit("README's C++ program is not examples/infer_and_run.cpp.")


def check_tool(readme, millrace):
    table, session = blocks(readme, "")[:2]
    prompts = re.split(r"^\$ ", session, flags=re.MULTILINE)[1:]
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "trips.csv").write_text(table)
        path = os.pathsep.join([os.path.dirname(millrace), os.environ["PATH"]])
        for prompt in prompts:
            command, _, expected = prompt.partition("\n")
            run = subprocess.run(["bash", "-c", command], cwd=folder, env={**os.environ, "PATH": path},
                                 capture_output=True, text=True, check=False)
            if run.returncode != 0 or run.stdout != expected:
                sys.exit(f"{command}\nexit code {run.returncode}, printed:\n{run.stdout}{run.stderr}README says:\n{expected}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("readme", type=pathlib.Path)
    parser.add_argument("--program", type=pathlib.Path)
    parser.add_argument("--tool")
    arguments = parser.parse_args()
    readme = arguments.readme.read_text()
    if arguments.program:
        check_program(readme, arguments.program.read_text())
    if arguments.tool:
        check_tool(readme, arguments.tool)


if __name__ == "__main__":
    main()
