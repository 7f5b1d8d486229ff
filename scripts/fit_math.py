#!/usr/bin/env python3
"""Makes every number in millrace's own mathematics: src/expression/math_*.cpp.

Polynomials are minimax fits (Remez's exchange on a grid), weighted so that what is small is the relative error of the
function's result. Their coefficients become f32 one after the other, lowest power first; after each the rest is fitted
again, so that the later ones make up for the rounding of the earlier. All arithmetic is mpmath's with 80 digits, so the
numbers are the same on every machine.

Run by hand, with python3-mpmath:
  scripts/fit_math.py            prints the numbers, with the error that each polynomial alone brings, in ULP
  scripts/fit_math.py --check    says which of them the sources lack; exit status 1 if any
"""

import pathlib
import re
import struct
import sys

from mpmath import mp, mpf

mp.dps = 80
GRID_SIZE = 240
SOURCES = pathlib.Path(__file__).resolve().parent.parent / "src" / "expression"


def to_f32(value):
    return mpf(struct.unpack("f", struct.pack("f", float(value)))[0])


def f32_text(value):
    """The shortest decimal that reads back as the same f32."""
    for digits in range(1, 10):
        text = f"{float(value):.{digits}g}"
        if to_f32(mpf(text)) == to_f32(value):
            return text
    raise AssertionError(value)


def with_bits(value, bits):
    """The nearest number of that many significant bits."""
    scale = mpf(2) ** (bits - 1 - mp.floor(mp.log(abs(value), 2)))
    return mp.nint(value * scale) / scale


def polynomial(coefficients, point):
    result = mpf(0)
    for coefficient in reversed(coefficients):
        result = result * point + coefficient
    return result


def extrema(errors):
    """The index of the largest error in each run of one sign."""
    found = []
    for index, error in enumerate(errors):
        if found and (errors[found[-1]] > 0) == (error > 0):
            if abs(error) > abs(errors[found[-1]]):
                found[-1] = index
        else:
            found.append(index)
    return found


def alternation(errors, count):
    """The indices of `count` large errors of alternating sign."""
    found = extrema(errors)
    sizes = [abs(errors[index]) for index in found]
    while len(found) >= count + 2:
        pair = min(range(len(found) - 1), key=lambda i: max(sizes[i], sizes[i + 1]))
        del found[pair : pair + 2], sizes[pair : pair + 2]
    if len(found) > count:
        found.pop(0 if sizes[0] < sizes[-1] else -1)
    return found


def minimax(points, targets, weights, count):
    """`count` coefficients that make the largest weighted error over the points least."""
    # Where the weight is next to nothing, a point cannot matter, but makes the equations ill-conditioned.
    kept = [i for i, weight in enumerate(weights) if weight > max(weights) * mpf("1e-12")]
    points, targets, weights = ([values[i] for i in kept] for values in (points, targets, weights))
    reference = [round(i * (len(points) - 1) / count) for i in range(count + 1)]
    best = None
    for _ in range(30):
        rows, right = mp.matrix(count + 1), mp.matrix(count + 1, 1)
        for row, index in enumerate(reference):
            for power in range(count):
                rows[row, power] = weights[index] * points[index] ** power
            rows[row, count] = (-1) ** row
            right[row] = weights[index] * targets[index]
        solution = mp.lu_solve(rows, right)
        coefficients = [solution[power] for power in range(count)]
        errors = [w * (polynomial(coefficients, p) - t) for p, t, w in zip(points, targets, weights)]
        largest = max(abs(error) for error in errors)
        if best is None or largest < best[1]:
            best = coefficients, largest
        reference = alternation(errors, count + 1)
        if largest <= abs(solution[count]) * mpf("1.0001"):
            break
    return best[0]


def fit(function, first, last, count, weight):
    """f32 coefficients c of sum c[k] t^k near function(t) on [first, last], and the largest weighted error."""
    middle, half = (mpf(first) + last) / 2, (mpf(last) - first) / 2
    points = [middle - half * mp.cos(mp.pi * (k + mpf(1) / 2) / GRID_SIZE) for k in range(GRID_SIZE)]
    values, weights = [function(p) for p in points], [weight(p) for p in points]
    coefficients = []
    while len(coefficients) < count:
        done = len(coefficients)
        rest = [(v - polynomial(coefficients, p)) / p**done for p, v in zip(points, values)]
        scaled = [abs(w * p**done) for p, w in zip(points, weights)]
        coefficients.append(to_f32(minimax(points, rest, scaled, count - done)[0]))
    error = max(abs(w * (polynomial(coefficients, p) - v)) for p, v, w in zip(points, values, weights))
    return coefficients, error


def odd_fit(function, last, count):
    """function(x) = x + x^3 P(x^2) on [0, last]."""
    def remainder(z):
        x = mp.sqrt(z)
        return (function(x) - x) / x**3
    return fit(remainder, 0, mpf(last) ** 2, count, lambda z: z * mp.sqrt(z) / function(mp.sqrt(z)))


LN2 = mp.log(2)
QUARTER = mp.pi / 4 * mpf("1.0005")  # a little past what a reduction leaves
LOG_FIRST, LOG_LAST = mp.sqrt(mpf(1) / 2) - 1, mp.sqrt(2) - 1
# pow divides the mantissa by the nearest of these, so that what is left is within POW_LAST of 1.
POW_CENTERS = [mpf(51) / 64, mpf(1), mpf(5) / 4]
POW_LAST = mpf("0.062")


def polynomials():
    yield "exp: 1 + (r + r^2 P(r))", fit(
        lambda r: (mp.exp(r) - 1 - r) / r**2, -LN2 / 2 - mpf("0.0005"), LN2 / 2 + mpf("0.0005"), 5,
        lambda r: r**2 / mp.exp(r))
    yield "exp2: 1 + r P(r)", fit(lambda r: (2**r - 1) / r, mpf("-0.5005"), mpf("0.5005"), 6, lambda r: abs(r) / 2**r)
    yield "log: f - f^2/2 + f^3 P(f)", fit(
        lambda f: (mp.log1p(f) - f + f**2 / 2) / f**3, LOG_FIRST, LOG_LAST, 8, lambda f: abs(f**3 / mp.log1p(f)))
    yield "log2: f / ln 2 + f^2 P(f)", fit(
        lambda f: (mp.log1p(f) - f) / LN2 / f**2, LOG_FIRST, LOG_LAST, 9, lambda f: abs(f**2 * LN2 / mp.log1p(f)))
    yield "pow: log2 of (1 + s) / (1 - s) = 2 s / ln 2 + s^3 P(s^2)", fit(
        lambda z: (mp.atanh(mp.sqrt(z)) - mp.sqrt(z)) * 2 / LN2 / (z * mp.sqrt(z)), 0, POW_LAST**2, 2,
        lambda z: z * LN2 / 2)
    yield "sin: r + r^3 P(r^2)", odd_fit(mp.sin, QUARTER, 4)
    yield "cos: 1 - (z/2 - z^2 P(z)), z = r^2", fit(
        lambda z: (mp.cos(mp.sqrt(z)) - 1 + z / 2) / z**2, 0, QUARTER**2, 3, lambda z: z**2 / mp.cos(mp.sqrt(z)))
    yield "tan: r + r^3 P(r^2)", odd_fit(mp.tan, QUARTER, 7)
    yield "asin: s + s^3 P(s^2), s to 1/2", odd_fit(mp.asin, mpf("0.5001"), 5)
    yield "atan: t + t^3 P(t^2), t to 1", odd_fit(mp.atan, 1, 9)
    yield "tanh: x + x^3 P(x^2), x to 5/8", odd_fit(mp.tanh, mpf(5) / 8, 5)
    yield "sinh: x + x^3 P(x^2), x to 1", odd_fit(mp.sinh, 1, 4)


def split(value, bits):
    """A number of few bits, whose products with other such numbers are exact, and the f32 that is missing."""
    high = with_bits(value, bits)
    return [high, to_f32(value - high)]


def constants():
    yield "1 / ln 2", [to_f32(1 / LN2)]
    yield "1 / ln 2, split", split(1 / LN2, 11)
    yield "ln 2, split; whole numbers to 256 times the first are exact", split(LN2, 15)
    yield "2 / ln 2, split", split(2 / LN2, 11)
    yield "2 / ln 2", [to_f32(2 / LN2)]
    for center in (POW_CENTERS[0], POW_CENTERS[2]):
        high = mp.nint(mp.log(center, 2) * 4096) / 4096
        yield f"log2 of {f32_text(center)}, split at 2^-12", [high, to_f32(mp.log(center, 2) - high)]
    yield "where pow's centers meet", [to_f32(mpf(2) ** (mpf(-1) / 6)), to_f32(mpf(2) ** (mpf(1) / 6))]
    yield "pi / 2, split", split(mp.pi / 2, 8)
    for multiple, name in ((2, "pi / 2"), (1, "pi")):
        yield f"{name} and what the f32 lacks", [to_f32(mp.pi / multiple),
                                                 to_f32(mp.pi / multiple - to_f32(mp.pi / multiple))]


def reduction_words():
    """The 224 bits of 2/pi from the point on, as seven words."""
    bits = int(mp.floor(2 / mp.pi * mpf(2) ** 224))
    return [f"{bits >> (32 * (6 - word)) & 0xFFFFFFFF:#010x}" for word in range(7)]


def numbers():
    """(what for, text) of every number that the sources must hold; prints them on the way."""
    for name, (coefficients, error) in polynomials():
        texts = [f32_text(coefficient) for coefficient in coefficients]
        print(f"{name}: {float(error * 2**24):.3f} ULP\n  ", ", ".join(texts), flush=True)
        yield from ((name, text) for text in texts)
    for name, values in constants():
        texts = [f32_text(value) for value in values]
        print(f"{name}\n  ", ", ".join(texts))
        yield from ((name, text) for text in texts)
    print("2 / pi\n  ", ", ".join(reduction_words()))
    yield from (("2 / pi", word) for word in reduction_words())


def value_of(text):
    """What a WGSL literal stands for, without its sign, which the sources may write as an operator."""
    return int(text, 16) if text.startswith("0x") else abs(to_f32(mpf(text)))


def main():
    needed = list(numbers())
    if "--check" not in sys.argv[1:]:
        return
    literal = re.compile(r"0x[0-9a-f]{8}|[0-9]+\.[0-9]+(?:e-?[0-9]+)?")
    written = {value_of(text) for source in SOURCES.glob("math_*.cpp") for text in literal.findall(source.read_text())}
    missing = [f"The sources lack {text} of {name}." for name, text in needed if value_of(text) not in written]
    if missing:
        sys.exit("\n".join(missing))


if __name__ == "__main__":
    main()
