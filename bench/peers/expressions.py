"""The expressions of the benchmark, in the language of each contender and as the intervals that docs/numerics.md allows."""

NAMES = "abcdefghij"

MILLRACE = {
    "light": "y = a * b + c * d + e * f + g * h + i * j",
    "heavy": "y = sin(a) * cos(b) + exp(-c) * sqrt(d) + log(e) * tanh(f) + sin(g * h) * exp(-i) + sqrt(j) * cos(a * j)",
}

# duckdb computes functions of a FLOAT in double precision; its sums and products of FLOAT are single.
DUCKDB = {
    "light": "a * b + c * d + e * f + g * h + i * j",
    "heavy": "sin(a) * cos(b) + exp(-c) * sqrt(d) + ln(e) * tanh(f) + sin(g * h) * exp(-i) + sqrt(j) * cos(a * j)",
}


def polars_expression(name):
    import polars

    a, b, c, d, e, f, g, h, i, j = (polars.col(name) for name in NAMES)
    if name == "light":
        return a * b + c * d + e * f + g * h + i * j
    return (a.sin() * b.cos() + (-c).exp() * d.sqrt() + e.log() * f.tanh() + (g * h).sin() * (-i).exp()
            + j.sqrt() * (a * j).cos())


def intervals(name, rows):
    """The least and the largest y of each row; `rows` has an array of f32 for each name."""
    import interval_columns
    import numpy as np

    present = np.zeros(len(rows["a"]), dtype=bool)
    a, b, c, d, e, f, g, h, i, j = (interval_columns.Column.of(rows[name], present, "f32") for name in NAMES)
    if name == "light":
        return chain(a * b, c * d, e * f, g * h, i * j)

    def sine(column):
        return column.wave(np.sin, 4)

    def cosine(column):
        return column.wave(np.cos, 4)

    def exp(column):
        return column.monotone(np.exp, 4)

    def root(column):
        return column.monotone(np.sqrt, 4)

    return chain(sine(a) * cosine(b), exp(-c) * root(d), e.monotone(np.log, 4) * f.monotone(np.tanh, 4),
                 sine(g * h) * exp(-i), root(j) * cosine(a * j))


def chain(*terms):
    """Rule 5: a sum of k terms, in any order, is within k * 2^-24 * (sum of the terms' magnitudes)."""
    import numpy as np

    margin = len(terms) * 2.0**-24 * sum(np.maximum(np.abs(term.low), np.abs(term.high)) for term in terms)
    return sum(term.low for term in terms) - margin, sum(term.high for term in terms) + margin
