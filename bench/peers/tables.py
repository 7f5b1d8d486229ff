#!/usr/bin/python3
"""millrace eval beside polars and duckdb: the same expression over the same Parquet file, into a Parquet file.

  bench/peers/tables.py [--rows N] [--tool PATH] [--runs K] [--folder FOLDER]

Every run is a process of its own, the contenders take turns, and what is timed is the whole process: for millrace with
the device and the kernel's compilation, for the peers with Python's start and imports. Peak memory is what wait4 says of
the process. Every row of every result is then compared with double precision, within docs/numerics.md. bench/peers/setup
is run first.
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import expressions

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PEERS = ROOT / ".deps" / "peers"
DEFAULT_TOOL = ROOT / "build-release" / "bin" / "millrace"
CONTENDERS = ("millrace", "polars", "duckdb")
MIB = 1 << 20
ENVIRONMENT = {
    **os.environ,
    "PYTHONPATH": f"{PEERS}:{ROOT / 'scripts'}",
    "PYTHONDONTWRITEBYTECODE": "1",
    "NODEVICE_SELECT": "1",  # or Mesa's layer that chooses among devices complains where there is no desktop
}


def command(contender, tool, name, source, output):
    if contender == "millrace":
        return [tool, "eval", expressions.MILLRACE[name], "--input", source, "--output", output, "--quiet"]
    return python("peer.py", contender, name, source, output)


def python(script, *arguments):
    """NumPy and the peers stay out of this process: what it holds would count as the peak of what it starts."""
    return [sys.executable, HERE / script, *arguments]


def run(words):
    if subprocess.run([str(word) for word in words], env=ENVIRONMENT).returncode != 0:
        sys.exit(1)


def timed(words):
    """Seconds and peak MiB of a process."""
    began = time.perf_counter()
    process = subprocess.Popen([str(word) for word in words], env=ENVIRONMENT)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)  # Popen must not wait for it again
    if process.returncode != 0:
        sys.exit(f"tables: {words[0]} ended with {process.returncode}.")
    return seconds, usage.ru_maxrss * 1024 / MIB


def report(name, rows, measured):
    base = min(seconds for seconds, _ in measured["millrace"])
    print(f"\n{name}: {rows:,} rows")
    print(f"{'':9} {'best s':>8} {'median s':>9} {'million rows/s':>15} {'peak MiB':>9} {'of millrace':>12}")
    for contender in CONTENDERS:
        times = [seconds for seconds, _ in measured[contender]]
        peak = max(memory for _, memory in measured[contender])
        best = min(times)
        print(f"{contender:9} {best:8.2f} {statistics.median(times):9.2f} {rows / best / 1e6:15.1f} {peak:9.0f} "
              f"{best / base:12.2f}")


def rows_file(rows, folder):
    """The file in the folder, made where it is not there yet."""
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / f"rows_{rows}.parquet"
    if not source.exists():
        run(python("rows_file.py", rows, source))
    return source


def measure(options, source, folder):
    for name, text in expressions.MILLRACE.items():
        outputs = {contender: folder / f"{name}_{contender}.parquet" for contender in CONTENDERS}
        measured = {contender: [] for contender in CONTENDERS}
        for _ in range(options.runs):
            for contender in CONTENDERS:
                outputs[contender].unlink(missing_ok=True)
                measured[contender].append(timed(command(contender, options.tool, name, source, outputs[contender])))
        report(name, options.rows, measured)
        print(text)
        for output in outputs.values():
            run(python("check_rows.py", name, source, output))
        print("Every row of each result is within docs/numerics.md.")


def main():
    parser = argparse.ArgumentParser(description="millrace eval beside polars and duckdb")
    parser.add_argument("--rows", type=int, default=20_000_000)
    parser.add_argument("--tool", type=pathlib.Path, default=DEFAULT_TOOL)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--folder", type=pathlib.Path, help="where the files are made and kept; else a temporary one")
    options = parser.parse_args()
    options.tool = options.tool.resolve()
    run([HERE / "setup"])
    with tempfile.TemporaryDirectory() as temporary:
        folder = (options.folder or pathlib.Path(temporary)).resolve()
        source = rows_file(options.rows, folder)
        print(f"{source.name}: {source.stat().st_size / MIB:,.0f} MiB, 10 columns of float32; best and median of "
              f"{options.runs} runs each")
        measure(options, source, folder)


if __name__ == "__main__":
    main()
