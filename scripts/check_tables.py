#!/usr/bin/python3
"""Computes what millrace eval does with NumPy, from the same files, and compares every row.

  check_tables.py TOOL DATA

TOOL is the program, DATA the folder of flights.csv, airports.csv and weather.csv. Each table is read by the tool as CSV
and, written by pyarrow with columns of other types and many row groups, as Parquet; so are the results written. Integers,
bools and what is missing must be equal, f32 within the bounds of docs/numerics.md (interval_columns.py). Needs the folder
that `scripts/setup --numpy` makes, in PYTHONPATH or in .deps. Exit code 1 where anything differs.
"""

import pathlib
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / ".deps" / "numpy"))

try:
    import numpy as np
    import pyarrow as pa
except ImportError as error:
    sys.exit(f"check_tables: {error}; run scripts/setup --numpy.")
import pyarrow.compute as pc
import pyarrow.csv as csv
import pyarrow.parquet as parquet

import interval_columns as columns
from interval_columns import atan2, choose, power

FLIGHTS = {
    "speed = f32(distance) / air_time * 60": lambda t: t.distance.f32() / t.air_time * 60.0,
    "gain = dep_delay - arr_delay": lambda t: t.dep_delay - t.arr_delay,
    "total = dep_delay + arr_delay + 0": lambda t: t.dep_delay + t.arr_delay,
    "nothing = dep_delay * 0": lambda t: t.dep_delay * 0,
    "negative = -arr_delay": lambda t: -t.arr_delay,
    "late = dep_delay > 15": lambda t: t.dep_delay > 15,
    "same = dep_delay == arr_delay": lambda t: t.dep_delay == t.arr_delay,
    "differ = arr_delay != dep_delay": lambda t: t.arr_delay != t.dep_delay,
    "overnight = arr_time < dep_time": lambda t: t.arr_time < t.dep_time,
    "both = dep_delay > 15 && arr_delay > 15": lambda t: (t.dep_delay > 15) & (t.arr_delay > 15),
    "any_late = month < 0 || arr_delay >= 60": lambda t: t.arr_delay >= 60,
    "early = !(arr_delay > 0)": lambda t: ~(t.arr_delay > 0),
    "hours = dep_time / 100": lambda t: t.dep_time / 100,
    "minutes = dep_time % 100": lambda t: t.dep_time % 100,
    "quotient = arr_delay / dep_delay": lambda t: t.arr_delay / t.dep_delay,
    "clock = dep_time / 100 * 60 + dep_time % 100": lambda t: t.dep_time / 100 * 60 + t.dep_time % 100,
    "least = min(dep_delay, arr_delay)": lambda t: t.dep_delay.smaller(t.arr_delay),
    "most = max(dep_delay, 5)": lambda t: t.dep_delay.larger(5),
    "fewest = min(5, arr_delay)": lambda t: t.arr_delay.smaller(5),
    "bounded = clamp(arr_delay, -30, dep_delay)": lambda t: t.arr_delay.clamp(-30, t.dep_delay),
    "size = abs(arr_delay)": lambda t: t.arr_delay.magnitude(),
    "direction = sign(dep_delay)": lambda t: t.dep_delay.with_ends(np.sign(t.dep_delay.low), kind="i32"),
    "chosen = select(dep_delay, arr_delay, month > 6)": lambda t: choose(t.dep_delay, t.arr_delay, t.month > 6),
    "by_missing = dep_delay > 0 ? distance : flight": lambda t: choose(t.flight, t.distance, t.dep_delay > 0),
    "counted = u32(arr_delay > 0) + 1": lambda t: (t.arr_delay > 0).u32() + 1,
    "as_unsigned = u32(dep_delay)": lambda t: t.dep_delay.u32(),
    "halved = i32(f32(arr_delay) * 0.5)": lambda t: (t.arr_delay.f32() * 0.5).i32(),
    "wrapped = flight * flight * flight * distance": lambda t: t.flight * t.flight * t.flight * t.distance,
    "low_bits = (flight & 0xff) | 0x100": lambda t: (t.flight & 0xFF) | 0x100,
    "mixed_bits = (flight ^ distance) << 3": lambda t: (t.flight ^ t.distance) << 3,
    "shifted = dep_delay >> 2": lambda t: t.dep_delay >> 2,
    "turned = ~arr_delay": lambda t: ~t.arr_delay,
    "place = row * 2 + u32(month)": lambda t: t.row * 2 + t.month.u32(),
    "share = f32(row) / f32(rows) + 0 * f32(month)": lambda t: t.row.f32() / t.rows.f32(),
    "root = sqrt(f32(distance))": lambda t: t.distance.f32().monotone(np.sqrt, 4),
    "decay = exp(-f32(distance) / 1000)": lambda t: (-t.distance.f32() / 1000).monotone(np.exp, 4),
    "logarithm = log(f32(air_time))": lambda t: t.air_time.f32().monotone(np.log, 4),
    "growth = pow(f32(air_time), 0.75)": lambda t: power(t.air_time.f32(), 0.75),
    "hand = sin(radians(f32(minute) * 6))": lambda t: radians(t.minute.f32() * 6).wave(np.sin, 4),
    "far = cos(f32(flight) * 1000)": lambda t: (t.flight.f32() * 1000).wave(np.cos, 4),
    "direction_of = atan2(f32(dep_delay), f32(arr_delay))": lambda t: atan2(t.dep_delay.f32(), t.arr_delay.f32()),
    "hypotenuse = length(vec2(f32(dep_delay), f32(arr_delay)))":
        lambda t: (t.dep_delay.f32().square() + t.arr_delay.f32().square()).monotone(root_of_positive, 4),
    "below = floor(f32(dep_delay) * 0.25)": lambda t: (t.dep_delay.f32() * 0.25).monotone(np.floor),
    "nearest = round(f32(arr_delay) * 0.5)": lambda t: (t.arr_delay.f32() * 0.5).monotone(np.rint),
    "quarter = mix(f32(dep_delay), f32(arr_delay), 0.25)":
        lambda t: t.dep_delay.f32() * 0.75 + t.arr_delay.f32() * 0.25,
    "part = saturate(f32(dep_delay) / 60)": lambda t: (t.dep_delay.f32() / 60).clamp(0.0, 1.0),
    # Of other results.
    "per_hour = gain * 60 / (hours + 1)": lambda t: (t.dep_delay - t.arr_delay) * 60 / (t.dep_time / 100 + 1),
}

FEET = 0.3048
AIRPORTS = {
    "same_lat = lat": lambda t: t.lat,
    "north = radians(lat)": lambda t: radians(t.lat),
    "degrees_of = degrees(lon)": lambda t: t.lon.monotone(np.degrees, 1.5),
    "height = f32(alt) * 0.3048": lambda t: t.alt.f32() * FEET,
    "pressure = exp(-height / 8434.5)": lambda t: (-(t.alt.f32() * FEET) / 8434.5).monotone(np.exp, 4),
    "offset = tz * 3600": lambda t: t.tz * 3600,
    "western = lon < 0 && lat > 40.5": lambda t: (t.lon < 0.0) & (t.lat > 40.5),
    "same_zone = tz == -5": lambda t: t.tz == -5,
    "h = pow(sin(radians(lat - 40.639751) / 2), 2) + cos(radians(40.639751)) * cos(radians(lat)) * "
    "pow(sin(radians(lon + 73.778925) / 2), 2)": lambda t: haversine(t),
    "km = 12742.0176 * asin(sqrt(h))":
        lambda t: 12742.0176 * haversine(t).monotone(root_of_positive, 4).monotone(np.arcsin, 4),
    "slope = tan(north)": lambda t: radians(t.lat).monotone(np.tan, 4),
    "steep = sinh(north)": lambda t: radians(t.lat).monotone(np.sinh, 4),
    "flat = tanh(radians(lon))": lambda t: radians(t.lon).monotone(np.tanh, 4),
    "sum_of_lanes = dot(vec2(lat, lon), vec2(1, 2))": lambda t: t.lat + 2 * t.lon,
    "inverse = inverseSqrt(f32(max(alt, 1)))":
        lambda t: t.alt.larger(1).f32().monotone(lambda values: 1 / np.sqrt(values), 3),
    "binary = log2(f32(max(1, alt)))": lambda t: t.alt.larger(1).f32().monotone(np.log2, 4),
    "up = ceil(lat)": lambda t: t.lat.monotone(np.ceil),
    "whole = i32(lon)": lambda t: t.lon.i32(),
    "rounded = round(lon)": lambda t: t.lon.monotone(np.rint),
    "half = quantizeToF16(lat)": lambda t: t.lat.monotone(lambda values: values.astype(np.float16)),
    "bits = bitcast<u32>(lat)": lambda t: t.lat.bits(),
    "smaller = min(lat, lon)": lambda t: t.lat.smaller(t.lon),
    "picked = lat > 50 ? lat : -lon": lambda t: choose(-t.lon, t.lat, t.lat > 50.0),
    "edge = step(45.0, lat)": lambda t: (t.lat >= 45.0).f32(),
}

WEATHER = {
    "celsius = (temp - 32) * 5 / 9": lambda t: (t.temp - 32) * 5 / 9,
    "gust = max(wind_gust, wind_speed)": lambda t: t.wind_gust.larger(t.wind_speed),
    "calm = wind_speed == 0": lambda t: t.wind_speed == 0.0,
    "known = isnan(pressure)": lambda t: t.pressure.with_ends(np.zeros(len(t.pressure.low)), kind="bool"),
    "no_wind = wind_gust * 0": lambda t: t.wind_gust * 0,
    "at_least = max(pressure, 1010)": lambda t: t.pressure.larger(1010.0),
    "clamped = clamp(humid, 20, temp)": lambda t: t.humid.clamp(20.0, t.temp),
    "felt = select(temp, dewp, humid > 80)": lambda t: choose(t.temp, t.dewp, t.humid > 80.0),
    "east = sin(radians(f32(wind_dir)))": lambda t: radians(t.wind_dir.f32()).wave(np.sin, 4),
    "wet = precip > 0 || visib < 1": lambda t: (t.precip > 0.0) | (t.visib < 1.0),
    "power = wind_speed * wind_speed * wind_speed": lambda t: t.wind_speed * t.wind_speed * t.wind_speed,
}

# What pyarrow gives the columns in the Parquet files; the others stay as they are in CSV: 64-bit integers and doubles.
PARQUET_TYPES = {
    "month": pa.uint8(), "minute": pa.int8(), "dep_delay": pa.int16(), "arr_delay": pa.int32(), "distance": pa.int16(),
    "lat": pa.float64(), "lon": pa.float32(), "alt": pa.int32(), "tz": pa.int8(), "pressure": pa.float32(),
}


def radians(column):
    return column.monotone(np.radians, 1.5)


def root_of_positive(values):
    """An interval around a square may begin below 0."""
    return np.sqrt(np.maximum(values, 0))


def haversine(t):
    north = (radians(t.lat - 40.639751) / 2).wave(np.sin, 4).square()
    east = (radians(t.lon + 73.778925) / 2).wave(np.sin, 4).square()
    start = t.lat.literal(float(np.radians(40.639751)))
    start = start.with_ends(start.low, bound=2.5).wave(np.cos, 4)
    return north + start * radians(t.lat).wave(np.cos, 4) * east


class Table:
    """The columns of a file by name, as attributes, and row and rows."""

    def __init__(self, table):
        for name in table.column_names:
            column = table[name].combine_chunks()
            kind = kind_of(column.type)
            if kind is None:
                continue
            missing = np.asarray(column.is_null())
            setattr(self, name, columns.Column.of(column.fill_null(1).to_numpy(zero_copy_only=False), missing, kind))
        present = np.zeros(table.num_rows, dtype=bool)
        self.row = columns.Column.of(np.arange(table.num_rows), present, columns.UNSIGNED)
        self.rows = columns.Column.of(np.full(table.num_rows, table.num_rows), present, columns.UNSIGNED)


def kind_of(kind):
    if pa.types.is_floating(kind):
        return columns.FLOAT
    if pa.types.is_unsigned_integer(kind):
        return columns.UNSIGNED
    return columns.SIGNED if pa.types.is_integer(kind) else None


def read_csv(path, missing):
    return csv.read_csv(path, convert_options=csv.ConvertOptions(null_values=missing, strings_can_be_null=True))


def write_parquet(table, path):
    """In row groups of a size that no batch has, with statistics and dictionaries as pyarrow makes them."""
    for index, name in enumerate(table.column_names):
        if name in PARQUET_TYPES:
            table = table.set_column(index, name, pc.cast(table[name], PARQUET_TYPES[name]))
    parquet.write_table(table, path, row_group_size=7_001)


def evaluate(tool, formulas, source, output):
    command = [tool, "eval", *formulas, "--input", source, "--output", output, "--integer-division", "truncate",
               "--batch-rows", "50000", "--quiet"]
    ended = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if ended.returncode != 0 or ended.stderr:
        sys.exit(f"check_tables: millrace eval on {source.name} ended with {ended.returncode}: {ended.stderr}")
    return read_csv(output, [""]) if output.suffix == ".csv" else parquet.read_table(output)


def fault(name, expected, results):
    """What is wrong with a result, or None."""
    if len(results) != len(expected.missing):
        return f"{name} has {len(results)} rows; expected are {len(expected.missing)}"
    missing = np.asarray(results.is_null())
    values = pc.cast(results, pa.float64()).fill_null(0).to_numpy() if results.type != pa.null() else np.zeros(len(results))
    if expected.kind == columns.FLOAT:
        values = values.astype(np.float32).astype(np.float64)  # text has as many digits as tell one f32 from the next
    wrong = missing != expected.missing
    # Not "outside of the ends", which NaN is not.
    wrong |= ~missing & ~((values >= expected.low) & (values <= expected.high))
    rows = np.flatnonzero(wrong)
    if len(rows) == 0:
        return None
    row = rows[0]
    given = "missing" if missing[row] else repr(values[row])
    wanted = "missing" if expected.missing[row] else f"between {expected.low[row]!r} and {expected.high[row]!r}"
    return f"{name} is {given} in row {row}, expected is {wanted}; {len(rows)} rows differ"


def check(tool, source, source_table, formulas, output):
    """How many values agree."""
    results = evaluate(tool, formulas, source, output)
    table = Table(source_table)
    faults = []
    for formula, compute in formulas.items():
        name = formula.split(" ")[0]
        with np.errstate(all="ignore"):
            expected = compute(table)
        found = fault(name, expected, results[name].combine_chunks())
        if found:
            faults.append(f"{found}\n    {formula}")
    if faults:
        sys.exit(f"check_tables: {source.name} to {output.suffix}:\n  " + "\n  ".join(faults))
    missing = sum(results[name].null_count for name in results.column_names)
    values = len(formulas) * results.num_rows
    print(f"{source.name:16} {len(formulas):3} formulas, {results.num_rows:7,} rows: {values - missing:10,} values and "
          f"{missing:9,} missing ones agree with NumPy")
    return len(formulas)


def main(tool, data):
    total = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, formulas in ("flights", FLIGHTS), ("airports", AIRPORTS), ("weather", WEATHER):
            source = pathlib.Path(data) / f"{name}.csv"
            text = read_csv(source, ["", "NA"])
            total += check(tool, source, text, formulas, pathlib.Path(folder) / "from_text.parquet")
            binary = pathlib.Path(folder) / f"{name}.parquet"
            write_parquet(text, binary)
            check(tool, binary, parquet.read_table(binary), formulas, pathlib.Path(folder) / "from_binary.csv")
    print(f"{total} formulas, each on CSV and on Parquet.")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: check_tables.py TOOL DATA")
    main(*sys.argv[1:])
