#!/usr/bin/env python3
"""Makes the mutated sources of mutants_test: copies of src/expression in which faults can be switched on.

    make_mutants.py SOURCE_ROOT MUTANTS_JSON OUTPUT_FOLDER FILE...

FILE...: the sources to copy, relative to SOURCE_ROOT. Each "from" of the list has to stand exactly once where the list
says, so that no mutant is lost when the code changes: anything else ends the build.

- code: the C++ expression "from" becomes "to" while the mutant is active.
- text: WGSL. In what the named row (of the function table or of the WGSL library) holds, "from" becomes "to".
- hooks: where the code takes the rows' texts; replaced always.
"""
import json
import pathlib
import sys


def fail(message):
    sys.exit(f"make_mutants.py: {message}")


def replace_once(source, old, new, where):
    count = source.count(old)
    if count != 1:
        fail(f'"{old}" stands {count} times in {where}; a mutant needs a place of its own.')
    return source.replace(old, new)


def cpp_string(text):
    return 'R"mutant(' + text + ')mutant"'


def mutated_sources(root, mutants, files):
    sources = {file: (root / file).read_text(encoding="utf-8") for file in files}
    for mutant in mutants["code"]:
        file = mutant["file"]
        changed = f'(::millrace::mutants::is_active("{mutant["name"]}") ? ({mutant["to"]}) : ({mutant["from"]}))'
        sources[file] = replace_once(sources[file], mutant["from"], changed, f'{file} (mutant {mutant["name"]})')
    for hook in mutants["hooks"]:
        sources[hook["file"]] = replace_once(sources[hook["file"]], hook["from"], hook["to"], hook["file"])
    return sources


def names_header(mutants):
    lines = ["#pragma once", "", '#include "tests/mutants/mutant.hpp"', "", "namespace millrace::mutants {", ""]
    lines.append("inline constexpr Mutant kMutants[] = {")
    for mutant in mutants["code"]:
        lines.append(f'    {{"{mutant["name"]}", "", "", ""}},')
    for mutant in mutants["text"]:
        texts = ", ".join(cpp_string(mutant[key]) for key in ("row", "from", "to"))
        lines.append(f'    {{"{mutant["name"]}", {texts}}},')
    lines += ["};", "", "}  // namespace millrace::mutants", ""]
    return "\n".join(lines)


def write_if_changed(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def main():
    root, listed, output = (pathlib.Path(argument) for argument in sys.argv[1:4])
    mutants = json.loads(listed.read_text(encoding="utf-8"))
    names = [mutant["name"] for mutant in mutants["code"] + mutants["text"]]
    for name in names:
        if names.count(name) != 1:
            fail(f'There are two mutants "{name}".')
    include = '#include "tests/mutants/mutant.hpp"\n'
    for file, source in mutated_sources(root, mutants, sys.argv[4:]).items():
        write_if_changed(output / pathlib.Path(file).name, include + f'#line 1 "{file}"\n' + source)
    write_if_changed(output / "mutant_list.hpp", names_header(mutants))


main()
