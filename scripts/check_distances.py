"""Computes the demo's great-circle distances again, without millrace, and compares: check_distances.py AIRPORTS.csv RESULT.csv

The haversine formula in Python's double precision, for the column km of the result. Every row must agree within 0.01 km:
single precision holds the coordinates to less than 0.001 km, and sine, cosine, arc sine and square root, each at most
4 ULP from the true value, may add 0.009 km. Prints some rows and what was compared; exit code 1 where anything differs.
"""

import csv
import itertools
import math
import sys

from check_demo import END, column

FROM = (40.639751, -73.778925)  # JFK
EARTH_RADIUS = 6371.0088
TOLERANCE = 0.01

# What the whole file gives, from a third computation.
ROWS = 1_458
KNOWN = {"JFK": 0.0, "LAX": 3974.205, "HNL": 8006.740}


def haversine(latitude, longitude):
    half_north = math.radians(latitude - FROM[0]) / 2
    half_east = math.radians(longitude - FROM[1]) / 2
    square = math.sin(half_north) ** 2
    square += math.cos(math.radians(FROM[0])) * math.cos(math.radians(latitude)) * math.sin(half_east) ** 2
    return 2 * EARTH_RADIUS * math.asin(math.sqrt(square))


def airports(path):
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            yield row["faa"], row["name"], haversine(float(row["lat"]), float(row["lon"]))


def check(airports_path, result):
    rows, worst, known = 0, 0.0, {}
    print(f"{'from JFK to':11} {'km':>9} {'in double':>9}")
    pairs = itertools.zip_longest(airports(airports_path), column(result, "km"), fillvalue=END)
    for row, (airport, computed) in enumerate(pairs, 1):
        if END in (airport, computed):
            sys.exit(f"demo: the file of airports and the result differ in length; one ends before row {row}.")
        code, name, expected = airport
        if computed is None or not abs(computed - expected) <= TOLERANCE:  # false for NaN
            sys.exit(f"demo: the distance to {name} ({code}) in row {row} is {computed}, but it should be {expected}.")
        rows, worst = row, max(worst, abs(computed - expected))
        if code in KNOWN:
            known[code] = expected
            print(f"{code:11} {computed:9.3f} {expected:9.3f}  {name}")
    if rows != ROWS or {code: round(km, 3) for code, km in known.items()} != KNOWN:
        sys.exit(f"demo: expected {ROWS:,} rows, and these distances among them: {KNOWN}.")
    print(f"{rows:,} rows agree with a computation in double precision on the CPU within {TOLERANCE} km; the worst is "
          f"{worst:.4f} km off.")


if __name__ == "__main__":
    check(*sys.argv[1:])
