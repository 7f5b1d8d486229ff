"""Computes the demo's result again, without millrace, and compares: check_demo.py FLIGHTS.csv RESULT.csv

Python's own csv module and double precision. A row without air time or distance has no speed; every other speed is that of
single precision, within the rounding of three operations. Prints the first ten rows and what was compared; exit code 1
where anything differs.
"""

import csv
import itertools
import sys

# What the whole file gives, from a third computation.
ROWS = 336_776
ROWS_WITH_VALUE = 327_346
MEAN = 394.2737
MAXIMUM = 703.3846

MISSING = ("", "NA")
# f32(distance) is exact; a quotient and a product are rounded (WGSL allows a quotient 2.5 ULP), and decimals are printed.
RELATIVE_TOLERANCE = 5e-7


END = object()


def flights_with_speed(path):
    """(distance, air time, speed), as text, text and a number or None."""
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            distance, minutes = row["distance"], row["air_time"]
            missing = distance in MISSING or minutes in MISSING
            yield distance, minutes, None if missing else int(distance) / int(minutes) * 60


def column(path, name):
    """The numbers of a column, None where one is missing."""
    with open(path, newline="") as file:
        # Not DictReader, which skips blank lines: in a file of one column a blank line is a missing value.
        reader = csv.reader(file)
        index = next(reader).index(name)
        for row in reader:
            yield None if not row or row[index] in MISSING else float(row[index])


def check(flights, result):
    rows, with_value, total, maximum = 0, 0, 0.0, 0.0
    print(f"{'row':>7} {'distance':>9} {'air_time':>9} {'speed':>11}")
    pairs = itertools.zip_longest(flights_with_speed(flights), column(result, "speed"), fillvalue=END)
    for row, (flight, computed) in enumerate(pairs, 1):
        if END in (flight, computed):
            sys.exit(f"demo: the file of flights and the result differ in length; one ends before row {row}.")
        distance, minutes, expected = flight
        if row <= 10:
            print(f"{row:7} {distance:>9} {minutes:>9} {'missing' if computed is None else computed:>11}")
        same = computed is expected if None in (computed, expected) else is_close(computed, expected)
        if not same:
            sys.exit(f"demo: the speed of row {row} is {computed}, but it should be {expected}.")
        rows = row
        if computed is not None:
            with_value += 1
            total += computed
            maximum = max(maximum, computed)

    mean = total / max(with_value, 1)
    print(f"{rows:,} rows, {with_value:,} with a value, mean {mean:.4f}, max {maximum:.4f}")
    if (rows, with_value, round(mean, 4), round(maximum, 4)) != (ROWS, ROWS_WITH_VALUE, MEAN, MAXIMUM):
        sys.exit(f"demo: expected {ROWS:,} rows, {ROWS_WITH_VALUE:,} with a value, mean {MEAN}, max {MAXIMUM}.")
    print("Every row agrees with a computation in double precision on the CPU.")


def is_close(computed, expected):
    """False for NaN."""
    return abs(computed - expected) <= RELATIVE_TOLERANCE * abs(expected)


if __name__ == "__main__":
    check(*sys.argv[1:])
