#!/usr/bin/python3
"""millrace eval on a Parquet file that is larger than the memory it may have.

  bench/peers/memory_limit.py [--rows N] [--limit MIB] [--tool PATH] [--folder FOLDER]

The limit is RLIMIT_DATA (`prlimit --data`): all memory of the process that is its own and writable, so its heap, stacks
and a software driver's buffers, but neither libraries nor the system's cache of files. A limit of the address space
(`ulimit -v`) counts what is only reserved too, and a software driver reserves much: with lavapipe no device opens below
about 1 GiB. Every row of the result is compared, and the same is tried in one batch, which the limit must stop. Exit code
1 where either fails.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

import expressions
import tables
from tables import MIB

NAME = "heavy"


def decoded_size(rows):
    return rows * 4 * len(expressions.NAMES)


def limited(options, source, output, batch_rows):
    """The command line under the limit; the tool's own batches where no size is given."""
    batches = ["--batch-rows", str(batch_rows)] if batch_rows else []
    command = tables.command("millrace", options.tool, NAME, source, output)
    return ["prlimit", f"--data={options.limit * MIB}", *command, *batches]


def show(options, source, folder):
    output = folder / "limited.parquet"
    size, decoded = source.stat().st_size, decoded_size(options.rows)
    print(f"file {size / MIB:,.0f} MiB, {options.rows:,} rows; decoded {decoded / MIB:,.0f} MiB; "
          f"limit {options.limit:,} MiB")
    if size <= options.limit * MIB:
        sys.exit("memory_limit: the file is not larger than the limit; give more --rows or a lower --limit.")
    seconds, peak = tables.timed(limited(options, source, output, None))
    tables.run(tables.python("check_rows.py", NAME, source, output))
    print(f"in batches: {seconds:.1f} s, peak resident {peak:,.0f} MiB; every row is within docs/numerics.md")
    output.unlink()
    whole = subprocess.run([str(word) for word in limited(options, source, output, options.rows)], capture_output=True,
                           text=True, env=tables.ENVIRONMENT)
    print(f"in one batch: exit code {whole.returncode}: {whole.stderr.strip()}")
    if whole.returncode != 1 or output.exists():
        sys.exit("memory_limit: one batch should have been stopped by the limit, with exit code 1 and no file.")


def main():
    parser = argparse.ArgumentParser(description="millrace eval with less memory than its file has")
    parser.add_argument("--rows", type=int, default=20_000_000)
    parser.add_argument("--limit", type=int, default=448, metavar="MIB")
    parser.add_argument("--tool", type=pathlib.Path, default=tables.DEFAULT_TOOL)
    parser.add_argument("--folder", type=pathlib.Path, help="where the files are made and kept; else a temporary one")
    options = parser.parse_args()
    options.tool = options.tool.resolve()
    tables.run([tables.HERE / "setup"])
    with tempfile.TemporaryDirectory() as temporary:
        folder = (options.folder or pathlib.Path(temporary)).resolve()
        show(options, tables.rows_file(options.rows, folder), folder)


if __name__ == "__main__":
    main()
