#!/usr/bin/env python3
"""Draws a session of a document as a terminal, as SVG; the document's sessions are what the tool prints.

    scripts/terminal_picture.py DOCUMENT HEADING PICTURE [--check]
      HEADING   the first session below that heading is drawn
      --check   only says whether PICTURE is what would be drawn, by exit code
"""

import argparse
import html
import pathlib
import re
import sys

CHARACTER_WIDTH, LINE_HEIGHT, MARGIN, BAR_HEIGHT = 8.4, 20, 20, 34
BACKGROUND, TEXT, PROMPT, COMMAND = "#1e1e2e", "#cdd6f4", "#a6e3a1", "#f9e2af"


def session_below(document, heading):
    begin = document.find(f"\n## {heading}\n")
    block = re.search(r"^```console\n(.*?)^```$", document[max(begin, 0):], re.MULTILINE | re.DOTALL)
    if begin < 0 or block is None:
        sys.exit(f"There is no session below \"{heading}\".")
    return block.group(1).rstrip("\n").split("\n")


def spans(line, is_command):
    """The line's parts with their colours."""
    if line.startswith("$ "):
        return [("$ ", PROMPT), (line[2:], COMMAND)]
    return [(line, COMMAND if is_command else TEXT)]


def draw(lines):
    width = max(len(line) for line in lines) * CHARACTER_WIDTH + 2 * MARGIN
    height = BAR_HEIGHT + len(lines) * LINE_HEIGHT + MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" width="{width:.0f}" '
        f'height="{height}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, DejaVu Sans Mono, monospace" '
        f'font-size="14">',
        f'<rect width="100%" height="100%" rx="8" fill="{BACKGROUND}"/>',
        *(f'<circle cx="{MARGIN + 18 * place}" cy="18" r="6" fill="{colour}"/>'
          for place, colour in enumerate(("#f38ba8", "#f9e2af", "#a6e3a1"))),
    ]
    is_command = False
    for number, line in enumerate(lines):
        is_command = line.startswith("$ ") or (is_command and lines[number - 1].endswith("\\"))
        y = BAR_HEIGHT + 14 + number * LINE_HEIGHT
        text = "".join(f'<tspan fill="{colour}">{html.escape(part, quote=False)}</tspan>'
                       for part, colour in spans(line, is_command))
        parts.append(f'<text x="{MARGIN}" y="{y}" textLength="{len(line) * CHARACTER_WIDTH:.1f}" xml:space="preserve">'
                     f"{text}</text>" if line else "")
    return "\n".join(part for part in parts if part) + "\n</svg>\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("document", type=pathlib.Path)
    parser.add_argument("heading")
    parser.add_argument("picture", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    picture = draw(session_below(arguments.document.read_text(), arguments.heading))
    if not arguments.check:
        arguments.picture.write_text(picture)
    elif arguments.picture.read_text() != picture:
        sys.exit(f"{arguments.picture} is not the session below \"{arguments.heading}\"; draw it again.")


if __name__ == "__main__":
    main()
