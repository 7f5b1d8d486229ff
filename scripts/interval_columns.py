"""Columns of intervals, in NumPy: for each row the least and the largest value that docs/numerics.md allows.

Integers, bools and what only moves values are exact: both ends are equal. An operation on f32 computes both ends in double
precision and moves them outwards by its bound in ULP. A row is missing where an operand of its is.
"""

import numpy as np

FLOAT, SIGNED, UNSIGNED, BOOL = "f32", "i32", "u32", "bool"


def ulp(values):
    """The distance between the f32 around each value."""
    with np.errstate(all="ignore"):
        return np.spacing(np.abs(values).astype(np.float32)).astype(np.float64)


def wrap(values, kind):
    """64-bit integers modulo 2^32."""
    values = np.asarray(values, dtype=np.int64) & 0xFFFFFFFF
    return np.where(values >= 2**31, values - 2**32, values) if kind == SIGNED else values


class Column:
    """low and high are float64 for f32, else int64; missing is True where a row has no value."""

    def __init__(self, kind, low, high, missing):
        self.kind, self.missing = kind, missing
        number = np.float64 if kind == FLOAT else np.int64
        self.low, self.high = np.asarray(low, dtype=number), np.asarray(high, dtype=number)

    @classmethod
    def of(cls, values, missing, kind):
        """A column of a file. f32 is the nearest to each number; rows that are missing hold 1, which nothing fails on."""
        values = np.where(missing, 1, values)
        if kind == FLOAT:
            values = values.astype(np.float32).astype(np.float64)
        return cls(kind, values, values, missing)

    def literal(self, value):
        """A literal takes the type of what it meets, and an f32 the nearest value."""
        if isinstance(value, Column):
            return value
        is_float = self.kind == FLOAT or isinstance(value, float)
        value = float(np.float32(value)) if is_float else int(value)
        kind = BOOL if self.kind == BOOL else FLOAT if is_float else self.kind
        values = np.full(len(self.missing), value)
        return Column(kind, values, values, np.zeros_like(self.missing))

    def with_ends(self, *ends, kind=FLOAT, bound=0.0, others=()):
        """The hull of some candidates for the ends, `bound` ULP wider; missing where self or one of others is."""
        low, high = np.minimum.reduce(ends), np.maximum.reduce(ends)
        if bound:
            low, high = low - bound * ulp(low), high + bound * ulp(high)
        return Column(kind, low, high, np.logical_or.reduce([self.missing, *(other.missing for other in others)]))

    def operands(self, other):
        """Both of one type: an integer becomes f32 beside an f32."""
        other = self.literal(other)
        if self.kind == other.kind:
            return self, other
        return (self, other.f32()) if self.kind == FLOAT else (self.f32(), other)

    # Casts.

    def f32(self):
        """Exact: no integer here has more than 24 bits."""
        assert self.kind == FLOAT or np.all(np.abs(self.low) <= 2**24)
        return Column(FLOAT, self.low, self.high, self.missing)

    def i32(self):
        return self.to_integer(SIGNED)

    def u32(self):
        return self.to_integer(UNSIGNED)

    def to_integer(self, kind):
        if self.kind != FLOAT:
            return Column(kind, wrap(self.low, kind), wrap(self.high, kind), self.missing)
        least, most = (-(2**31), 2147483520) if kind == SIGNED else (0, 4294967040)
        return Column(kind, *(np.clip(np.trunc(end), least, most) for end in (self.low, self.high)), self.missing)

    def bits(self):
        assert np.array_equal(self.low, self.high)
        bits = self.low.astype(np.float32).view(np.uint32)
        return Column(UNSIGNED, bits, bits, self.missing)

    # Arithmetic.

    def arithmetic(self, other, function, bound, integers=None):
        a, b = self.operands(other)
        if a.kind == FLOAT:
            ends = [function(x, y) for x in (a.low, a.high) for y in (b.low, b.high)]
            return a.with_ends(*ends, bound=bound, others=[b])
        result = wrap((integers or function)(a.low, b.low), a.kind)
        return a.with_ends(result, kind=a.kind, others=[b])

    def __add__(self, other):
        return self.arithmetic(other, np.add, 0.5)

    def __sub__(self, other):
        return self.arithmetic(other, np.subtract, 0.5)

    def __mul__(self, other):
        return self.arithmetic(other, np.multiply, 0.5)

    def __truediv__(self, other):
        return self.arithmetic(other, np.divide, 2.5, truncated_quotient)

    def __mod__(self, other):
        assert self.kind != FLOAT
        return self.arithmetic(other, None, 0, lambda a, b: a - b * truncated_quotient(a, b))

    def __neg__(self):
        ends = (-self.low, -self.high) if self.kind == FLOAT else (wrap(-self.low, self.kind),)
        return self.with_ends(*ends, kind=self.kind)

    def __radd__(self, other):
        return self.literal(other) + self

    def __rsub__(self, other):
        return self.literal(other) - self

    def __rmul__(self, other):
        return self.literal(other) * self

    def __rtruediv__(self, other):
        return self.literal(other) / self

    # Comparisons of exact values, logic and bits.

    def exact(self, other, function, kind):
        a, b = self.operands(other)
        assert np.array_equal(a.low, a.high) and np.array_equal(b.low, b.high), "the text compares what is not exact"
        result = function(a.low, b.low)
        return a.with_ends(result if kind == BOOL else wrap(result, kind), kind=kind, others=[b])

    def __eq__(self, other):
        return self.exact(other, np.equal, BOOL)

    def __ne__(self, other):
        return self.exact(other, np.not_equal, BOOL)

    def __lt__(self, other):
        return self.exact(other, np.less, BOOL)

    def __le__(self, other):
        return self.exact(other, np.less_equal, BOOL)

    def __gt__(self, other):
        return self.exact(other, np.greater, BOOL)

    def __ge__(self, other):
        return self.exact(other, np.greater_equal, BOOL)

    def __and__(self, other):
        return self.exact(other, np.bitwise_and, self.kind)

    def __or__(self, other):
        return self.exact(other, np.bitwise_or, self.kind)

    def __xor__(self, other):
        return self.exact(other, np.bitwise_xor, self.kind)

    def __lshift__(self, amount):
        return self.exact(amount, np.left_shift, self.kind)

    def __rshift__(self, amount):
        return self.exact(amount, np.right_shift, self.kind)

    def __invert__(self):
        result = 1 - self.low if self.kind == BOOL else wrap(~self.low, self.kind)
        return self.with_ends(result, kind=self.kind)

    # Functions.

    def monotone(self, function, bound=0.0):
        """Of f32: one that only rises or only falls between the ends of each interval."""
        assert self.kind == FLOAT
        return self.with_ends(function(self.low), function(self.high), bound=bound)

    def wave(self, function, bound):
        """sin and cos, whose slope is at most 1."""
        width = (self.high - self.low) / 2
        middle = function(self.low + width)
        return self.with_ends(middle - width, middle + width, bound=bound)

    def magnitude(self):
        if self.kind != FLOAT:
            return self.with_ends(wrap(np.abs(self.low), self.kind), kind=self.kind)
        holds_zero = (self.low <= 0) & (self.high >= 0)
        ends = np.abs(self.low), np.abs(self.high)
        return self.with_ends(*ends, np.where(holds_zero, 0, ends[0]))

    def square(self):
        return self.magnitude().monotone(np.square, 0.5)

    def smaller(self, other):
        a, b = self.operands(other)
        return Column(a.kind, np.minimum(a.low, b.low), np.minimum(a.high, b.high), a.missing | b.missing)

    def larger(self, other):
        a, b = self.operands(other)
        return Column(a.kind, np.maximum(a.low, b.low), np.maximum(a.high, b.high), a.missing | b.missing)

    def clamp(self, low, high):
        return self.larger(low).smaller(high)


def truncated_quotient(a, b):
    """As the language divides integers: a / 0 is a."""
    b = np.where(b == 0, 1, b)
    return np.sign(a) * np.sign(b) * (np.abs(a) // np.abs(b))


def choose(otherwise, chosen, condition):
    """select(otherwise, chosen, condition): all three operands matter for what is missing."""
    otherwise, chosen = (otherwise, chosen) if isinstance(otherwise, Column) else (chosen.literal(otherwise), chosen)
    otherwise, chosen = otherwise.operands(chosen)
    take = condition.low == 1
    return Column(otherwise.kind, np.where(take, chosen.low, otherwise.low), np.where(take, chosen.high, otherwise.high),
                  otherwise.missing | chosen.missing | condition.missing)


def atan2(y, x):
    """Of exact operands."""
    return y.with_ends(np.arctan2(y.low, x.low), bound=4, others=[x])


def power(a, exponent, bound=4):
    """Of positive numbers and a literal."""
    return a.monotone(lambda values: np.power(values, float(np.float32(exponent))), bound)
