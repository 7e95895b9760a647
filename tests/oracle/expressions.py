#!/usr/bin/env python3
"""Compares mrc with an exact evaluator of its expressions, as mrc-expressions(7) describes them.

The program writes inputs in four formats, makes random expressions of all kinds, runs each one
through mrc in a place where mrc takes expressions, and compares the answer. The evaluator has its
own parser. It uses fractions for numbers and nanoseconds for times. Each difference is printed as
a command that can be repeated. The exit status is 1 if there are any.
"""
import argparse
import bisect
import collections
import csv
import dataclasses
import datetime
import decimal
import io
import ipaddress
import itertools
import json
import math
import pathlib
import random
import re
import shlex
import subprocess
import sys
import tempfile
import typing
import zoneinfo
from fractions import Fraction

MISFIT = object()  # stands for a value that does not fit the kind as which it is read
NO_RESULT = object()  # stands for the result of what cannot be computed, such as a quotient by zero
SECOND = 10**9
UTC = datetime.timezone.utc
UNITS = {"ns": Fraction(1, 10**9), "us": Fraction(1, 10**6), "ms": Fraction(1, 1000), "s": 1, "m": 60,
         "h": 3600, "d": 86400, "w": 604800}
LEVELS = "trace debug info notice warn error critical alert fatal".split()
SYNONYMS = {"warning": "warn", "err": "error", "severe": "error", "panic": "fatal", "10": "trace", "20": "debug",
            "30": "info", "40": "warn", "50": "error", "60": "fatal", **{level[0]: level for level in LEVELS}}
TRUTH = {"true": True, "1": True, "false": False, "0": False}
SEVERITIES = (10, 20, 30, 35, 40, 50, 60, 70, 80)
SIGNS = ("==", "!=", "<", "<=", ">", ">=")
# The kinds that a constant meets. An unknown field meets all constants.
MEETS = {"number": "number truth level text", "duration": "duration text", "time": "time text",
         "address": "address text", "truth": "truth number text", "text": "text", "level": "text"}
# What times and durations make. All other combinations with them are errors.
RESULTS = {"time + duration": "time", "duration + time": "time", "time - duration": "time",
           "time - time": "duration", "duration + duration": "duration", "duration - duration": "duration",
           "duration % duration": "duration", "duration * number": "duration", "number * duration": "duration",
           "duration / number": "duration", "duration / duration": "number"}
decimal.getcontext().prec = 200


class Refused(Exception):
    """The expression is an error, and mrc must say so before it reads the input."""


class Constant(Refused):
    """The expression is an error because it is the same for all records."""


class Silent(Exception):
    """The manual does not say what the expression means."""


class Span(typing.NamedTuple):
    """A constant that stands for all values from begin up to, and without, end."""
    begin: typing.Any
    end: typing.Any


# Values. Numbers and durations are fractions, times are integers, and all others are text.

def settle(x):
    """A decimal of 38 digits and 38 places as it is, and others as the shortest decimal of the nearest double."""
    places = next((n for n in range(39) if 10**n % x.denominator == 0), None)
    fits = places is not None and abs(x) * 10**places < 10**38
    return x if fits else Fraction(repr(float(x)))


def number_text(x):
    text = format(decimal.Decimal(x.numerator) / x.denominator, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def read_number(text):
    text = text.strip(" \t")
    known = re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", text)
    try:
        return settle(Fraction(text)) if known else MISFIT
    except OverflowError:  # it is too large for a double
        return MISFIT


def read_size(text):
    parts = re.fullmatch(r"(\d+\.?\d*|\.\d+) ?(?:([kmgtpe])(i?)b?|b)", text.lower())
    if not parts:
        return read_number(text)
    return Fraction(parts[1]) * (1024 if parts[3] else 1000)**("kmgtpe".index(parts[2]) + 1 if parts[2] else 0)


def read_duration(text):
    parts = re.findall(r"(\d+(?:\.\d+)?)(ns|us|ms|[smhdw])", text)
    if not parts or "".join(map("".join, parts)) != text.removeprefix("-"):
        return MISFIT
    return sum(Fraction(n) * UNITS[unit] for n, unit in parts) * (-1 if text[0] == "-" else 1)


def read_network(text):
    """Reads a network as the span of its addresses, and an address as a pair that has its order."""
    try:
        net = ipaddress.ip_network(text, strict=False)
    except ValueError:
        return MISFIT
    first = getattr(net.network_address, "ipv4_mapped", None) or net.network_address
    pair = (first.version, int(first))
    return Span(pair, (first.version, int(first) + net.num_addresses)) if "/" in text else pair


def address_text(pair):
    return str((ipaddress.IPv4Address if pair[0] == 4 else ipaddress.IPv6Address)(pair[1]))


def read_level(text):
    name = SYNONYMS.get(text.lower(), text.lower())
    return LEVELS.index(name) if name in LEVELS else MISFIT


class Clock:
    """Reads and prints times in the zone of --tz. An instant is in nanoseconds since 1970."""
    ISO = re.compile(r"(\d{4})[-/](\d\d)(?:[-/](\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?)?"
                     r" ?(Z|[+-]\d\d(?::?\d\d)?)?")
    LOG = re.compile(r"\d\d/[A-Z][a-z][a-z]/\d{4}:(\d\d:\d\d:\d\d) ([+-]\d{4})")
    FORMS = {"week": "%G-W%V", "weekday": "%u-%a", "hourofday": "%H", "day": "%Y-%m-%d", "month": "%Y-%m"}

    def __init__(self, name):
        self.name = name or "UTC"
        self.zone = self.read_zone(self.name) if self.name[0] in "+-" else zoneinfo.ZoneInfo(self.name)

    @staticmethod
    def read_zone(text):
        sign, digits = int(text[0] + "1"), text[1:].replace(":", "").ljust(4, "0")
        return datetime.timezone(sign * datetime.timedelta(hours=int(digits[:2]), minutes=int(digits[2:])))

    def local(self, instant):
        return datetime.datetime.fromtimestamp(instant // SECOND, UTC).astimezone(self.zone)

    def offset(self, second):
        return int(self.local(second * SECOND).utcoffset().total_seconds())

    def instant(self, clock, zone=None):
        """The first instant at which clocks show this. A time that they skip counts on from before."""
        return int(clock.replace(tzinfo=zone or self.zone, fold=0).timestamp()) * SECOND

    def span(self, text):
        """A time as the span that its last part tells: a day, a minute, a tenth of a second."""
        if re.fullmatch(r"\d{10}|-?\d+\.\d+", text):
            return Span(int(Fraction(text) * SECOND), int(Fraction(text) * SECOND) + 1)
        try:
            if log := self.LOG.fullmatch(text):
                text = f"{datetime.datetime.strptime(text[:11], '%d/%b/%Y'):%Y-%m-%d}T{log[1]}{log[2]}"
            *parts, fraction, zone = self.ISO.fullmatch(text).groups()
            given = [int(part) for part in parts if part]
            begin = datetime.datetime(*given, *[1] * (3 - len(given)))
        except (ValueError, AttributeError):
            return MISFIT
        zone = UTC if zone == "Z" else zone and self.read_zone(zone)
        first = self.instant(begin, zone) + int((fraction or "0").ljust(9, "0"))
        if len(given) > 3:
            return Span(first, first + (10**(9 - len(fraction)) if fraction else {5: 60, 6: 1}[len(given)] * SECOND))
        end = begin + datetime.timedelta(days=1 if len(given) == 3 else 31)
        return Span(first, self.instant(end if len(given) == 3 else end.replace(day=1)))

    def read(self, text):
        span = self.span(text)
        return span if span is MISFIT else span.begin

    def text(self, instant, form="%Y-%m-%dT%H:%M:%S"):
        offset = self.offset(instant // SECOND)
        suffix = f"{'-' if offset < 0 else '+'}{datetime.timedelta(seconds=abs(offset))!s:0>8}".removesuffix(":00")
        fraction = f".{instant % SECOND:09}".rstrip("0").rstrip(".") if form.endswith("S") else ""
        return self.local(instant).strftime(form) + fraction + (suffix if self.name != "UTC" else "Z")

    def bucket(self, instant, name):
        if name == "year":
            return Fraction(self.local(instant).year)
        if name in self.FORMS:
            return self.local(instant).strftime(self.FORMS[name])
        width = {"second": 1, "minute": 60, "hour": 3600}.get(name) or int(read_duration(name))
        start = self.floor(instant // SECOND, width) * SECOND
        if width % 86400 == 0:
            return self.local(start).strftime("%Y-%m-%d")
        return self.text(start, "%Y-%m-%dT%H:%M" + ":%S" * (width % 60 > 0))

    def floor(self, second, width):
        """The start of a bucket. If clocks change within an hour, the bucket begins at the change. Others go
        on, unless clocks skip their beginning."""
        passed = (second + self.offset(second)) % width
        start = second - passed
        if self.offset(start) == self.offset(second):
            return start
        if width > 3600:
            clock = self.local(second * SECOND).replace(tzinfo=None) - datetime.timedelta(seconds=passed)
            first = self.instant(clock) // SECOND
            if self.local(first * SECOND).replace(tzinfo=None) == clock:
                return first
        changed = lambda s: self.offset(s) == self.offset(second)
        return start + bisect.bisect_left(range(start, second), True, key=changed)


# The parser makes a function of each expression, which computes the value for a record.

@dataclasses.dataclass
class Expr:
    kind: str
    get: typing.Callable
    has_field: bool = False
    literal: typing.Any = None  # the value of a constant
    field: typing.Optional[str] = None  # the name and the suffix, if the expression is a field alone
    written: bool = False  # whether values are text as it is written in the record
    unit: typing.Any = None  # the unit of time of a number, in seconds


TOKEN = re.compile(r"""\s*(?:
    (?P<quoted>'(?:[^'\\]|''|\\.)*'|"(?:[^"\\]|""|\\.)*")
    |(?P<time>\d{4}-\d\d(?:-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d(?::?\d\d)?)?)?)?)(?![\w:])
    |(?P<address>\d+(?:\.\d+){3}(?:/\d+)?|(?:\d[0-9a-fA-F]*(?=:)|(?=::))[0-9a-fA-F:.]+(?:/\d+)?)(?!\w)
    |(?P<duration>(?:\d+(?:\.\d+)?(?:ns|us|ms|[smhdw]))+)(?![\w.])
    |(?P<number>0x[0-9a-f]+|(?:(?:0|[1-9][\d_]*)(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?
        (?:[kMGT]|[kmgtKMGT](?:i[bB]?|[bB]))?)(?![\w.:]|-\w|/\d+/\d)
    |(?P<field>\$"[^"]*"|\$?[A-Za-z_@][\w.@]*(?:-[\w.@]+)*)(?P<suffix>:[\w./]+)?
    |(?P<sign>==|!=|<=|>=|=~|!~|[<>+\-*/%(),]))""", re.X)
ESCAPES = {"n": "\n", "t": "\t", "\\": "\\", "'": "'", '"': '"'}


class Language:
    """Expressions over the fields of a schema, which gives the kind of each name."""

    def __init__(self, schema, clock):
        self.schema, self.clock = schema, clock
        self.readers = {"number": read_number, "size": read_size, "duration": read_duration, "time": clock.read,
                        "level": read_level, "address": lambda text: MISFIT if "/" in text else read_network(text),
                        "truth": lambda text: TRUTH.get(text.lower(), MISFIT)}

    def parse(self, text, condition=False):
        self.misfits = set()  # the values that mrc must count in a warning
        self.untold = False  # whether it may leave some of them out, because not all parts have to be computed
        self.tokens, end = [], 0
        while text[end:].strip():
            match = TOKEN.match(text, end)
            if not match:
                raise Refused(text[end:])
            end = match.end()
            self.tokens.insert(0, match)
        e = self.condition(self.any()) if condition else self.any()
        if self.tokens:
            raise Refused("more than an expression")
        if condition and not e.has_field:
            raise Constant
        return e

    def next(self, *words, needed=False):
        """Takes the next token if it is one of these words."""
        if self.tokens and self.tokens[-1].lastgroup != "quoted" and self.tokens[-1][0].strip() in words:
            return self.tokens.pop()[0].strip()
        if needed:
            raise Refused(f"{words[0]} is missing")
        return None

    def node(self, kind, function, *parts, literal=None, counted=True):
        """An expression of parts, each of which is read as a value of a kind, or, with None, as it is."""
        self.no_networks(e for e, want in parts if want)

        def get(record):
            values = [self.read(e, want, record) for e, want in parts]
            for (e, _), value in zip(parts, values):
                if value is MISFIT and counted:
                    self.refuse(e, record)
            self.untold |= sum(value is None or value is MISFIT for value in values) > 1
            result = function(*values)
            if result is NO_RESULT:
                self.refuse(parts[0][0], record)
            return None if result is NO_RESULT else result
        return Expr(kind, get, any(e.has_field for e, _ in parts), literal)

    def refuse(self, e, record):
        """Counts a value that does not fit, once for each field of a record."""
        self.misfits.add((id(record), (e.field or str(id(e))).split(":")[0]))

    @staticmethod
    def no_networks(values):
        if any(e.kind == "address" and isinstance(e.literal, Span) for e in values):
            raise Silent("what a network is as a value")

    @staticmethod
    def condition(e):
        if e.kind != "truth" or e.field or e.literal is not None:
            raise Refused("not a condition")
        return e

    def any(self, binds=("or", "and")):
        part = (lambda: self.any(binds[1:])) if binds else self.one
        e = part()
        while binds and self.next(binds[0]):
            self.untold = True
            e = self.both(binds[0], self.condition(e), self.condition(part()))
        return e

    def both(self, word, a, b):
        return self.node("truth", lambda x, y: x or y if word == "or" else x and y, (a, None), (b, None))

    def one(self):
        if not self.next("not"):
            return self.test()
        return self.node("truth", lambda x: not x, (self.condition(self.one()), None))

    def test(self):
        x = self.sum()
        if sign := self.next(*SIGNS):
            e = self.compare(sign, x, self.sum())
        elif sign := self.next("=~", "!~"):
            regex = re.compile(self.tokens.pop()["quoted"][1:-1])
            found = lambda text: isinstance(text, str) and bool(regex.search(text)) == (sign == "=~")
            e = self.node("truth", found, (x, "text"))
        elif self.next("between"):
            self.untold = True
            e = self.compare(">=", x, self.sum())
            self.next("and", needed=True)
            e = self.both("and", e, self.compare("<=", x, self.sum()))
        elif self.next("in"):
            items = self.arguments() if self.next("(") else [self.sum()]
            e = Expr("truth", lambda record: False)
            for item in items:
                e = self.both("or", e, self.compare("==", x, item))
        else:
            return x
        if self.next(*SIGNS):
            raise Refused("comparisons do not chain")
        return e

    def arguments(self):
        items = [self.any()]
        while self.next(","):
            items.append(self.any())
        self.next(")", needed=True)
        return items

    def sum(self, signs=("+-", "*/%")):
        part = (lambda: self.sum(signs[1:])) if signs else self.factor
        e = part()
        while signs and (sign := self.next(*signs[0])):
            e = self.arithmetic(sign, e, part())
        return e

    def factor(self):
        if self.next("("):
            return self.arguments()[0]
        if self.next("-"):
            return self.minus(self.factor())
        if not self.tokens or self.tokens[-1]["sign"]:
            raise Refused("a value is missing")
        token = self.tokens.pop()
        kind, text = token.lastgroup, token[token.lastgroup]
        if kind in ("field", "suffix"):
            return self.word(token["field"], token["suffix"] or "")
        read = {"time": self.clock.span, "address": read_network, "duration": read_duration, "number": read_literal,
                "quoted": unquoted}
        literal = read[kind](text)
        if literal is MISFIT:
            raise Refused(text)
        value = text if kind == "address" else literal.begin if kind == "time" else literal
        return Expr(kind, lambda record: value, literal=literal)

    def word(self, word, suffix):
        if word in ("true", "false"):
            return Expr("truth", lambda record: word == "true", literal=word == "true")
        if word in ("today", "yesterday"):
            day = datetime.datetime.now(self.clock.zone) - datetime.timedelta(days=word == "yesterday")
            span = self.clock.span(f"{day:%Y-%m-%d}")
            return Expr("time", lambda record: span.begin, literal=span)
        if word in ("and", "or", "not", "in", "between"):
            raise Refused(f"{word} where a value should be")
        if not suffix and self.next("("):
            return self.call(word, self.arguments())
        name = word.lstrip("$").strip('"')
        for whole, rest in ((name + suffix, ""), (name, suffix[1:])):
            if whole in self.schema:
                e = self.field(whole)
                return self.suffixed(e, rest) if rest else e
        raise Refused(f"no field {name}")

    def field(self, name):
        """A field, with the unit that its name tells."""
        named = re.search("_(ms|us|s)$", name) if self.schema[name] == "number" else None
        return Expr(self.schema[name], lambda record: record.get(name), True, field=name, written=True,
                    unit=UNITS[named[1]] if named else None)

    # Reading values as those of a kind

    def show(self, value, kind):
        """The text of a value, or None."""
        if value is None or value is MISFIT or isinstance(value, str):
            return None if value is MISFIT else value
        if isinstance(value, bool):
            return str(int(value))
        return self.clock.text(value) if kind == "time" else number_text(value)

    def json(self, e, record):
        """A value as JSON: numbers, durations that are no field, and truth are bare."""
        if e.get(record) is MISFIT:
            self.refuse(e, record)
        text = self.show(e.get(record), e.kind)
        bare = JSON_BARE.get("number" if e.kind == "duration" and e.field is None and not e.written else e.kind)
        return "null" if text is None else text if bare and bare.fullmatch(text) else json.dumps(text)

    def there(self, e, record):
        return self.show(e.get(record), e.kind) not in (None, "", "-")

    def has(self, e, record):
        before = set(self.misfits)
        there = self.there(e, record)
        if e.field:  # a field that has no bucket is not there, and not counted
            self.misfits = before
        return there

    def read(self, e, kind, record):
        """The value of an expression as one of a kind: None if it is missing, or MISFIT."""
        value, unit = e.get(record), e.unit if kind == "duration" else None
        if kind is None or value is MISFIT:
            return value
        if kind == "text" or e.kind != kind and (e.kind, kind) != ("truth", "number"):
            value = self.show(value, e.kind)
        if isinstance(value, str) and kind != "text":
            if value in ("", "-"):
                return None
            value = self.readers["number" if unit else "truth" if e.kind == "truth" else kind](value)
        return value * unit if unit and value not in (None, MISFIT) else value

    def suffixed(self, e, name):
        """A field with a kind or a bucket after a colon."""
        kind = {"num": "number", "size": "number", "year": "number"}.get(name, name)
        if name == "text" or name == "num" or name in self.readers:
            node = self.node(kind, lambda text: self.by_hand(text, name, e.unit or 1), (e, None))
        else:
            if name != "year":
                is_text = e.kind not in ("time", "number") or name in ("week", "weekday", "hourofday")
                kind = "text" if is_text else e.kind
            bucket = {"time": self.clock.bucket, "number": number_bucket}.get(e.kind, text_bucket)
            get = lambda value: None if value is None or value is MISFIT else bucket(value, name)
            node = self.node(kind, get, (e, e.kind))
        return dataclasses.replace(node, field=f"{e.field}:{name}", written=True)

    def by_hand(self, text, name, unit):
        """The value in the one form that all equal values have."""
        if name == "text" or text in (None, "", "-"):
            return text if name == "text" else None
        value = {**self.readers, "num": read_number}[name](text)
        if value is MISFIT and name == "duration" and read_number(text) is not MISFIT:
            return read_number(text) * unit
        if value is MISFIT:
            return MISFIT
        return address_text(value) if name == "address" else LEVELS[value] if name == "level" else value

    # Comparisons

    def meeting(self, sign, a, b):
        """The kind as which two sides are compared."""
        for side, other in ((a, b), (b, a)):
            if side.literal is not None:
                return self.meeting_constant(sign, side, other)
        known = {a.kind, b.kind} - {"text", "unknown"}
        if known == {"number", "duration"} and (a.unit or b.unit) or a.unit and b.unit and a.unit != b.unit:
            return "duration"
        if known == {"number", "truth"}:
            return "number"
        if len(known) > 1:
            raise Refused(f"{a.kind} and {b.kind}")
        return known.pop() if known else "text"

    def meeting_constant(self, sign, side, other):
        kind = side.kind
        if kind == "quoted" and other.kind in ("time", "address", "level"):
            if self.constant(side, other.kind) is not MISFIT:
                return other.kind
            if other.kind != "level" or sign not in ("==", "!="):
                raise Refused(f"{side.literal} is not of the kind {other.kind}")
        if kind == "quoted" and sign in ("==", "!="):
            is_computed = other.kind in ("number", "duration", "truth") and not other.written and side.literal
            number = read_number(side.literal)
            if is_computed and (number is MISFIT or number_text(number) != side.literal):
                raise Refused(f"{side.literal} is not how a computed number is printed")
            return "text"
        if kind == "quoted":
            is_level = other.kind in ("text", "unknown") and len(side.literal) >= 3
            kinds = ["number", "time", "address"] + ["level"] * is_level
            kind = next((k for k in kinds if self.constant(side, k) is not MISFIT), "text")
        if other.kind not in MEETS[kind] + " unknown" and not (kind == "duration" and other.unit):
            raise Refused(f"{kind} and {other.kind}")
        if (kind, other.kind) == ("truth", "number"):
            return "number"
        if (kind, other.kind) != ("number", "level"):
            return kind
        if self.constant(side, "level") is MISFIT:
            raise Refused("no number of a level")
        return "level"

    def constant(self, e, kind):
        """A constant as a value of a kind: a span, if it is a time or a network."""
        if e.kind == "quoted" and kind != "text":
            return {**self.readers, "time": self.clock.span, "address": read_network}[kind](e.literal)
        return read_level(number_text(e.literal)) if (e.kind, kind) == ("number", "level") else e.literal

    def compare(self, sign, a, b):
        if a.literal is not None and b.literal is not None:
            raise Constant
        kind = self.meeting(sign, a, b)
        sides = [(e, kind) if e.literal is None else (Expr(kind, lambda record, e=e: self.constant(e, kind)), None)
                 for e in (a, b)]

        def compared(*values):
            return holds(sign, *(None if kind == "text" and value is MISFIT else value for value in values))
        return self.node("truth", compared, *sides, counted=sign not in ("==", "!="))

    # Arithmetic and functions

    @staticmethod
    def operand(e):
        if e.kind in ("level", "address"):
            raise Refused(f"{e.kind} where a number should be")
        return e.kind if e.kind in ("time", "duration") else "number"

    def arithmetic(self, sign, a, b):
        kinds = [self.operand(a), self.operand(b)]
        result = "number" if kinds == ["number"] * 2 else RESULTS.get(f"{kinds[0]} {sign} {kinds[1]}")
        if not result:
            raise Refused(f"{kinds[0]} {sign} {kinds[1]}")

        def compute(*values):
            if None in values or MISFIT in values:
                return None
            x, y = map(seconds, values, kinds)
            if sign in "/%" and y == 0:
                return NO_RESULT
            z = {"+": x + y, "-": x - y, "*": x * y}[sign] if sign in "+-*" else x / y if sign == "/" else x % y
            return instant(z) if result == "time" else settle(z)
        return self.node(result, compute, (a, kinds[0]), (b, kinds[1]))

    def minus(self, e):
        kind = self.operand(e)
        if kind == "time":
            raise Refused("minus a time")
        negate = lambda value: None if value is None or value is MISFIT else settle(-Fraction(value))
        return self.node(kind, negate, (e, kind), literal=None if e.literal is None else -e.literal)

    def call(self, name, args):
        if name == "has":
            return Expr("truth", lambda record: self.has(args[0], record), args[0].has_field)
        if name in ("if", "only", "coalesce"):
            return self.choice(name, args)
        result, kinds, function = FUNCTIONS[name]
        kinds = kinds.split() + kinds.split()[-1:] * len(args)
        if result == "same":
            result, *others = [e.kind if e.kind in ("time", "duration") else "number" for e in args]
            if name in ("min", "max") and set(others) - {result}:
                raise Refused("values of different kinds")
            kinds = [kind.replace("same", result) for kind in kinds]

        def compute(*values):
            known = [value for value in values if value is not None and value is not MISFIT]
            if not known or len(known) < len(values) and name not in ("min", "max"):
                return False if result == "truth" else None
            if FUNCTIONS[name][0] == "same":
                value = function(*map(seconds, known, kinds))
                return instant(value) if result == "time" else value
            return function(self.clock, *known) if kinds[0] == "time" else function(*known)
        return self.node(result, compute, *zip(args, kinds))

    def choice(self, name, args):
        """One of several values. It has the kind that all of them share, else it is text."""
        self.untold = True
        values = args if name == "coalesce" else args[1:]
        self.no_networks(values)
        condition = None if name == "coalesce" else self.condition(args[0])
        kinds = {"text" if e.kind == "quoted" else e.kind for e in values}
        written = [e.written for e in values]
        kind = kinds.pop() if len(kinds) == 1 else "text"
        if kinds == {"number", "truth"} and not any(written):
            kind = "number"
        if kind == "truth" and any(written) and not all(written):
            raise Silent("how truth that is computed is printed among truth as it is written")
        units = {e.unit for e in values}
        scales = {(e.unit, (e.field or "").endswith(":duration")) for e in values}
        computed = kind in ("time", "duration") and not all(written) or kind == "duration" and len(scales) > 1
        want = kind if kind == "text" or computed else None

        def there(e, record):
            return self.read(e, kind, record) not in (None, MISFIT) if computed else self.there(e, record)

        def get(record):
            rest = values[not condition.get(record):] if condition else [e for e in values if there(e, record)]
            value = self.read(rest[0], want, record) if rest else None
            if value is MISFIT and (computed or ":" in (rest[0].field or "")):
                self.refuse(rest[0], record)  # it is computed, and therefore missing
                return None
            return value
        return Expr(kind, get, any(e.has_field for e in args), written=any(written) and not computed,
                    unit=units.pop() if len(units) == 1 else None)


def unquoted(text):
    def one(match):
        if match[1] and match[1] not in ESCAPES:
            raise Refused(f"{match[0]} has no meaning")
        return ESCAPES[match[1] or match[2]]
    return re.sub(r"\\(.)|(['\"])\2", one, text[1:-1])


def read_literal(text):
    return Fraction(int(text, 16)) if text.startswith("0x") else read_size(text.replace("_", ""))


def holds(sign, x, y):
    """A comparison is false if a side is missing. A value of another kind is unequal."""
    if x is None or y is None:
        return False
    if x is MISFIT or y is MISFIT:
        return sign == "!="
    c = order(x, y)
    return {"==": c == 0, "!=": c != 0, "<": c < 0, "<=": c <= 0, ">": c > 0, ">=": c >= 0}[sign]


def order(x, y):
    if isinstance(x, Span):
        return -order(y, x)
    if isinstance(y, Span):
        return -1 if x < y.begin else int(x >= y.end)
    x, y = (v.encode() if isinstance(v, str) else v for v in (x, y))
    return (x > y) - (x < y)


def number_bucket(value, name):
    if not name.startswith("log"):
        return value // read_size(name) * read_size(name)
    if value <= 0:
        return Fraction(0) if value == 0 else NO_RESULT
    powers = [Fraction(int(name[3:]))**power for power in range(-60, 60)]
    return powers[bisect.bisect(powers, value) - 1]


def text_bucket(text, name):
    return FUNCTIONS[name][2](text)


def rounded(how):
    return lambda x, places=0: Fraction(how(Fraction(x) * 10**int(places)), 10**int(places))


def substr(text, first, length=None):
    first = int(first) - 1 if first > 0 else max(len(text) + int(first), 0)
    return text[first:] if length is None else text[first:first + int(length)]


def split(text, separator, n):
    pieces = text.split(separator)
    return pieces[int(n) - (n > 0)] if abs(n) <= len(pieces) else None


def strftime(clock, instant, form):
    return clock.local(instant).strftime(form.replace("%f", f"{instant % SECOND // 1000:06}"))


def seconds(value, kind):
    return Fraction(value, SECOND) if kind == "time" else Fraction(value)


def instant(x):
    """The instant at so many seconds, or None if mrc has no such time."""
    return math.floor(x * SECOND + Fraction(1, 2)) if abs(x * SECOND) < 2**63 else None


def part(name):
    return "number", "time", lambda clock, instant: Fraction(getattr(clock.local(instant), name))


FUNCTIONS = {  # the kind of the result, the kinds of the arguments, and the function
    **{name: part(name) for name in ("year", "month", "day", "hour", "minute")},
    "second": ("number", "time", lambda clock, x: Fraction(x % (60 * SECOND), SECOND)),
    "weekday": ("number", "time", lambda clock, x: Fraction(clock.local(x).isoweekday())),
    "epoch": ("number", "time", lambda clock, x: Fraction(x, SECOND)),
    "difference": ("number", "time", lambda clock, x, y: Fraction(x - y, SECOND)),
    "time": ("time", "time", lambda clock, x: x), "format": ("text", "time text", strftime),
    "num": ("number", "number", lambda x: x), "text": ("text", "text", str), "size": ("number", "size", lambda x: x),
    "duration": ("duration", "duration", lambda x: x), "address": ("address", "address", address_text),
    "level": ("level", "level", LEVELS.__getitem__), "severity": ("number", "level", lambda x: Fraction(SEVERITIES[x])),
    "fromepoch": ("time", "number", instant), "abs": ("same", "same", abs),
    "ceil": ("same", "same number", rounded(math.ceil)), "floor": ("same", "same number", rounded(math.floor)),
    "round": ("same", "same number", rounded(lambda x: math.floor(x + Fraction(1, 2)))),
    "min": ("same", "same", lambda *x: min(x)), "max": ("same", "same", lambda *x: max(x)),
    "sqrt": ("number", "number", lambda x: Fraction(repr(math.sqrt(x))) if x >= 0 else NO_RESULT),
    "hex": ("text", "number", lambda x: format(int(x), "x") if x.denominator == 1 else NO_RESULT),
    "length": ("number", "text", lambda x: Fraction(len(x))), "trim": ("text", "text", lambda x: x.strip(" \t")),
    "lower": ("text", "text", lambda x: re.sub("[A-Z]+", lambda m: m[0].lower(), x)),
    "upper": ("text", "text", lambda x: re.sub("[a-z]+", lambda m: m[0].upper(), x)),
    "substr": ("text", "text number", substr), "split": ("text", "text text number", split),
    "replace": ("text", "text", lambda x, regex, by: re.sub(regex, by, x)),
    "concat": ("text", "text", lambda *x: "".join(x)), "contains": ("truth", "text", lambda x, y: y in x),
    "startswith": ("truth", "text", str.startswith), "endswith": ("truth", "text", str.endswith)}


# Inputs

NUMBERS = "0 7 -3 2.50 0.1 1e3 1000000 10 12.5 99 3.14159 10000 1 1.0 -0.25 31 1024 400 0.3".split()
PERIODS = "250ms 1.5s 1h30m 2d 90s 10m 0s 750us 1m30s 90m 1s 24h".split()
ADDRESSES = ("192.0.2.1 192.0.2.7 192.0.2.200 10.1.2.3 10.0.0.9 198.51.100.7 2001:db8::1 2001:DB8:0::2 "
             "2001:db8:1:2::7 127.0.0.1 ::ffff:10.1.2.3").split()
GRADES = "trace debug INFO info notice warn WARNING W error ERR SEVERE critical alert fatal PANIC".split()
WORDS = ["tea", "Tea", "Tea, green", "coffee", "café", "x y", "a/b/c", "12", "true", "1h", "warn", "zz top", "-1",
         "10.1.2.3", "2024-11-03", "it's", "A-b_C.d", "", "-"]
# Seconds at the ends of years, months and days, and at changes of clocks.
INSTANTS = [1730595600, 1730599200, 1730602799, 1711846800, 1711850400, 1729990800, 1729994400, 1704067199, 1704067200,
            1735689599, 1709164800, 1709251199, 1720000000, 1725148800, 1712415600, 1712409300, 1728142200, 1714082400]
POOLS = {"number": NUMBERS, "duration": PERIODS, "address": ADDRESSES, "level": GRADES, "truth": ["true", "false"],
         "text": WORDS, "path": ["/", "/tea/green.png", "/a/b/c.tar.gz", "/dir.d/file", "/api/v1/orders"],
         "status": ["200", "200", "304", "404", "500"], "bytes": ["-", "0", "512", "10000", "10240", "1000000"],
         "method": ["GET", "POST"], "user": ["-", "-", "anna", "bob"], "agent": ["curl/8.0", "-"],
         "referer": ["-", "https://example.org/tea", "http://a.b:8080/x.html"]}
MISFITS = {"number": "abc", "duration": "soon", "time": "later", "address": "bot.example.org", "level": "loud",
           "truth": "maybe"}
FIELDS = {"id": "number", "n": "number", "net-cost": "number", "wait_ms": "number", "idle_s": "number",
          "took": "duration", "gap": "duration", "at": "time", "began": "time", "ip": "address", "peer": "address",
          "level": "level", "ok": "truth", "s": "text", "w": "text", "path": "text", "none": "unknown"}
LOG_FIELDS = {"status": "number", "bytes": "number", "time": "time", "ip": "address", "method": "text",
              "path": "text", "query": "text", "user": "text", "referer": "text", "agent": "text"}
TIMES = ["%Y-%m-%d %H:%M:%S", "%Y-%m-%d", "%Y-%m-%dT%H:%M", "%Y/%m/%d %H:%M:%S"]
JSON_BARE = {"number": re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?"), "truth": re.compile("true|false|[01]")}


class Input:
    """A file of random records in one format."""

    def __init__(self, form, directory, rng, rows=40):
        self.form, self.rng, self.file = form, rng, directory / f"in.{form}"
        self.schema = LOG_FIELDS if form == "combined" else FIELDS
        value = self.log_value if form == "combined" else self.value
        spoiled = {name: rng.sample(range(rows), 2) for name in self.schema}
        self.records = [{name: value(name, row, row in spoiled[name]) for name in self.schema} for row in range(rows)]
        self.lines = [getattr(self, form)(record) for record in self.records]
        self.head = [",".join(self.schema)] if form == "csv" else []
        self.file.write_text("".join(line + "\n" for line in self.head + self.lines))

    def value(self, name, row, spoiled):
        kind, rng = self.schema[name], self.rng
        if name == "id":
            return str(row)
        if kind == "unknown" or rng.random() < 0.04:
            return "" if self.form == "csv" else rng.choice([None, ""]) if self.form == "logfmt" else None
        if rng.random() < 0.06:
            return rng.choice(["", "-"])
        if spoiled and kind in MISFITS:
            return MISFITS[kind]
        zone = rng.choice(["Z", ".25Z", ".001Z", "+02:00", "-0500", ""])
        if kind == "time":
            return self.time(rng.choice(TIMES) if name == "began" else "%Y-%m-%dT%H:%M:%S" + zone)
        return rng.choice(POOLS.get(name) or POOLS[kind])

    def log_value(self, name, row, spoiled):
        if name == "time":
            return self.time("%d/%b/%Y:%H:%M:%S +0000")
        if name == "ip":
            return MISFITS["address"] if spoiled else self.rng.choice(ADDRESSES[:-1])
        return f"id={row}" if name == "query" else self.rng.choice(POOLS[name])

    def time(self, form):
        stamp = self.rng.choice(INSTANTS) + self.rng.choice([0, 0, 1, 59, 1800, 3599, -86400, 5400])
        return datetime.datetime.fromtimestamp(stamp, UTC).strftime(form)

    def csv(self, record):
        out = io.StringIO()
        csv.writer(out, lineterminator="").writerow(record.values())
        return out.getvalue()

    def json(self, record):
        members = []
        for name, value in record.items():
            bare = value and self.schema[name] in JSON_BARE and JSON_BARE[self.schema[name]].fullmatch(value)
            if value is not None or self.rng.random() < 0.5:
                members.append(f'"{name}":{value if bare else json.dumps(value, ensure_ascii=False)}')
        return "{" + ",".join(members) + "}"

    def logfmt(self, record):
        pairs = ((name, value) for name, value in record.items() if value is not None)
        return " ".join(f'{name}="{value}"' if " " in value else f"{name}={value}" for name, value in pairs)

    def combined(self, record):
        return ('{ip} - {user} [{time}] "{method} {path}?{query} HTTP/1.1" {status} {bytes} "{referer}" "{agent}"'
                .format(**record))


# Random expressions

ZONES = [None, None, None, "UTC", "+02:00", "-05:30", "Europe/Berlin", "America/New_York", "Asia/Kolkata",
         "Europe/London", "Australia/Lord_Howe", "Pacific/Chatham", "Africa/Cairo"]
LITERALS = {
    "number": "10 -1.5 .5 1e3 0x1f 1_000 10k 1.5M 2G 10KB 10Ki 10MiB 1.5kib 0 7 0.1 2.5 -3 99 400 1 1000000".split(),
    "duration": PERIODS + "1w 500us 100ns 2h5m 0.5h".split(), "truth": ["true", "false"],
    "address": ADDRESSES + "192.0.2.0/24 10.0.0.0/8 2001:db8::/32 192.0.2.0/29 198.51.100.7/32".split()}
MOMENTS = ["%Y-%m", "%Y-%m-%d", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M:%S.0", "today"]
QUOTED = WORDS * 4 + NUMBERS + ADDRESSES + GRADES + ["200", "GET", "anna", "2024-11", "2024-11-03 10:00", "/"]
SUFFIXES = {"number": "num size 100 0.5 1k log2 log10 4Ki num".split(), "duration": ["duration"], "level": ["level"],
            "time": "time second minute hour day month 15m 6h 30s 2h 7d".split(), "address": ["address"],
            "text": ["text", "upper", "lower"]}
# A word in capitals stands for an expression of its kind. The first rule is the one where nesting ends.
GRAMMAR = {
    "COND": "TEST | TEST | TEST | not COND | COND and COND | COND or COND | COND and COND or not COND",
    "NUMBER": "NUMBER + NUMBER | NUMBER - NUMBER | NUMBER * NUMBER | NUMBER / NUMBER | NUMBER % NUMBER | -NUMBER"
              " | num(NUMBER) | num(TEXT) | abs(NUMBER) | round(NUMBER) | round(NUMBER, 2) | floor(NUMBER)"
              " | ceil(NUMBER, 1) | min(NUMBER, NUMBER) | max(NUMBER, NUMBER, 10) | length(TEXT) | length(NUMBER)"
              " | year(TIME) | month(TIME) | day(TIME) | hour(TIME) | minute(TIME) | second(TIME) | weekday(TIME)"
              " | epoch(TIME) | difference(TIME, TIME) | DURATION / DURATION | severity(LEVEL) | size(TEXT)"
              " | (COND) + NUMBER | sqrt(NUMBER) | num(TRUTH) | TRUTH + NUMBER | if(COND, NUMBER, (COND))",
    "DURATION": "DURATION + DURATION | DURATION - DURATION | DURATION % DURATION | -DURATION | DURATION * NUMBER"
                " | NUMBER * DURATION | DURATION / NUMBER | TIME - TIME | duration(DURATION) | duration(NUMBER)"
                " | abs(DURATION) | min(DURATION, DURATION) | max(DURATION, DURATION) | round(DURATION)"
                " | floor(DURATION, 2)",
    "TIME": "TIME + PERIOD | TIME - PERIOD | PERIOD + TIME | time(TIME) | fromepoch(NUMBER) | min(TIME, TIME)"
            " | max(TIME, TIME, TIME) | round(TIME) | floor(TIME) | ceil(TIME, 1)",
    "ADDRESS": "address(ADDRESS) | address(TEXT)",
    "LEVEL": "level(LEVEL)", "TRUTH": "(COND)",
    "TEXT": "lower(TEXT) | upper(TEXT) | trim(TEXT) | substr(TEXT, 2) | substr(TEXT, 1, 2) | substr(TEXT, -2)"
            " | split(TEXT, '/', 2) | split(TEXT, 'e', 1) | split(TEXT, \" \", -1) | replace(TEXT, '[aeiou]', '_')"
            " | replace(TEXT, '[0-9]+', '') | concat(TEXT, TEXT) | concat(TEXT, NUMBER, '/', TEXT) | text(NUMBER)"
            " | text(TIME) | text(TEXT) | hex(NUMBER) | format(TIME, '%Y-%m-%d') | format(TIME, '%H:%M:%S.%f')",
    "BAD": "FIELD == 5xx | FIELD > 007 | 14:00 < FIELD | FIELD > 3/11/2026 | 1 < FIELD < 5 | FIELD | not FIELD"
           " | FIELD == GET | 5-3 > FIELD | FIELD = 5 | FIELD == 1.10.0 | COND && COND | FIELD == '\\d' | FIELD =="
           " | COND or FIELD | FIELD in 10.0.0.0/33 | FIELD > 2024-13 | FIELD == 10kk | (COND | FIELD between 1"}
for symbol in ("NUMBER", "DURATION", "TIME", "ADDRESS", "LEVEL", "TRUTH", "TEXT"):
    GRAMMAR[symbol] += " | if(COND, {0}, {0}) | only(COND, {0}) | coalesce({0}, {0})".format(symbol)
# In these rules X is an expression, Y the other side, mostly of the same kind, and Z a constant.
TESTS = ("X SIGN Y | " * 9 + "Y SIGN X | X between Z and Z | X between Z and Z | X in Z | X in (Y, Z) | X in (Z, Y, Z)"
         " | X =~ 'PATTERN' | X !~ 'PATTERN' | has(X) | contains(TEXT, 'e') | startswith(TEXT, 't')"
         " | endswith(TEXT, 'a')")
PATTERNS = ["^t", "e$", "(?i)tea", "[0-9]+", "^$", "a|b", "^.{3}$", r"\d\.", "green|x"]


class Generator:
    """Makes the text of random expressions over the fields of a schema."""

    def __init__(self, schema, rng):
        self.schema, self.rng, self.pick = schema, rng, rng.choice

    def make(self, symbol, depth):
        if symbol == "TEST":
            return self.test(depth)
        if symbol == "COND" and self.rng.random() < 0.01:
            symbol = "BAD"
        if symbol in ("FIELD", "PERIOD") or symbol not in ("COND", "BAD") and (depth <= 0 or self.rng.random() < 0.3):
            return self.leaf("duration" if symbol == "PERIOD" else symbol.lower())
        rules = GRAMMAR[symbol].split(" | ")
        rule = self.pick(rules if depth > 0 else rules[:1])
        return re.sub(r"\b[A-Z]{4,}\b", lambda match: self.part(match[0], depth - 1), rule)

    def part(self, symbol, depth):
        """An expression, in parentheses if it needs them, and sometimes otherwise."""
        text = self.make(symbol, depth)
        plain = re.fullmatch(r"[^-][^ (]*(\([^()]*\))?", text) or symbol == "COND" and self.rng.random() < 0.5
        return text if plain or self.rng.random() < 0.2 and text[0] != "-" else f"({text})"

    def test(self, depth):
        kind = self.pick("number number number duration time time address level truth text text text".split())
        makers = {"X": lambda: self.part(kind.upper(), depth), "Y": lambda: self.other(kind, depth),
                  "Z": lambda: self.literal(kind), "SIGN": lambda: self.pick(SIGNS),
                  "TEXT": lambda: self.part("TEXT", depth), "PATTERN": lambda: self.pick(PATTERNS)}
        return re.sub("[A-Z]+", lambda match: makers[match[0]](), self.pick(TESTS.split(" | ")))

    def other(self, kind, depth):
        roll = self.rng.random()
        if roll < 0.85:
            return self.literal(kind) if roll < 0.6 else self.part(kind.upper(), depth)
        return self.literal("text" if roll < 0.93 else self.pick(list(MEETS)))

    def leaf(self, kind):
        roll, names = self.rng.random(), [name for name, k in self.schema.items() if kind in (k, "field")]
        if not names or roll < 0.25 and kind != "field":
            return self.literal(kind)
        name = self.pick(names if roll < 0.98 or "none" not in self.schema else ["none"])
        if ":" in name or name == "count":  # no suffix, which would be another column or an aggregate
            return name
        text = self.pick([name] * 18 + ["$" + name, f'$"{name}"'])
        return f"{text}:{self.pick(SUFFIXES[kind])}" if roll > 0.8 and kind in SUFFIXES and name != "none" else text

    def literal(self, kind):
        if kind == "time":
            text = datetime.datetime.fromtimestamp(self.pick(INSTANTS), UTC).strftime(self.pick(MOMENTS))
            return text + ("T" in text) * self.pick(["", "", "Z", "+01:00", "-0330", "+02"])
        if kind in LITERALS or kind == "level" and self.rng.random() < 0.1:
            return self.pick(LITERALS.get(kind, ["40"]))
        mark, text = self.pick("'\""), self.pick(GRADES if kind == "level" else QUOTED)
        return mark + text.replace(mark, self.pick([mark * 2, "\\" + mark])) + mark


class Checker:
    """Runs expressions in different places, and prints the differences."""

    def __init__(self, options, directory):
        self.mrc, self.skip, self.rng = options.mrc, options.skip, random.Random(options.seed)
        self.inputs = [Input(form, directory, self.rng) for form in ("csv", "json", "logfmt", "combined")]
        self.counts, self.differ = collections.Counter(), 0

    def one(self):
        source, zone = self.rng.choice(self.inputs), self.rng.choice(ZONES)
        places = [self.where, self.where, self.values, self.values, self.count, self.tally, self.having, self.then]
        place = self.rng.choice(places)
        language = Language(source.schema, Clock(zone))
        words, expected, read = place(source, language)
        header = ["--header-in", "yes"] if source.form == "csv" else []
        command = [self.mrc, words[0], "-f", source.form, *header, *words[1:], *(["--tz", zone] if zone else []),
                   str(source.file)]
        if not (self.skip and re.search(self.skip, shlex.join(command))):
            self.counts[f"{place.__name__} {source.form}" + " refused" * (expected is None)] += 1
            untold = language.untold or place in (self.having, self.then)
            misfits = None if untold else len(language.misfits)
            done = subprocess.run(command, capture_output=True, check=False)
            error = done.stderr.decode()
            if expected is not None and self.is_never(error, source, language):
                self.counts["refused, as no value ever equals the constant"] += 1
            elif expected is not None and re.search("have different units|has another unit", error):
                self.counts["refused, as fields have different units"] += 1
            else:
                self.check(command, done, expected, read, misfits)

    def is_never(self, error, source, language):
        """Whether mrc says that a bucket or a function never equals a constant, and no record has that value."""
        said = re.search(r": ([^:]*(?::\w[^:]*)*) is (?:(?:one of|a value like|\S+ to) .*, and )?never (.*)$", error.strip())
        if said is None:
            return False
        is_text = any(mark + said[2] + mark in error for mark in "'\"")
        constant = "'" + said[2].replace("'", "''") + "'" if is_text else said[2]
        try:
            equals = language.parse(f"{said[1]} == {constant}", True)
        except (Constant, Refused, Silent):
            return True
        return not any(equals.get(record) for record in source.records)

    def check(self, command, done, expected, read, misfits):
        lines = done.stdout.decode().splitlines()
        try:
            got = read(lines)
        except json.JSONDecodeError:
            got = lines
        wrong = (pair for pair in itertools.zip_longest(expected or [], got) if pair[0] != pair[1])
        if expected is None:
            wrong = [("an error", lines[:1])] if done.returncode != 2 else []
        elif done.returncode != 0:
            wrong = [("an answer", done.stderr.decode().strip())]
        elif misfits is not None:
            counted = int((re.search(rb"(\d+) values? in", done.stderr) or [0, 0])[1])
            wrong = [*wrong] or [(f"{misfits} misfits", counted)] * (counted != misfits)
        for pair in itertools.islice(wrong, 1):
            self.differ += 1
            print("{}\n    expected {}\n    got      {}".format(shlex.join(command), *pair), flush=True)

    def expression(self, language, symbol, depth):
        """The text of an expression, and its Expr, or None if mrc must refuse it."""
        while True:
            text = Generator(language.schema, self.rng).make(symbol, depth)
            try:
                return text, language.parse(text, symbol in ("COND", "TEST"))
            except Constant:
                if self.rng.random() < 0.05:
                    return text, None
            except Refused:
                return text, None
            except Silent:
                continue

    # Each place gives the words of a command, the answer or None for an error, and what reads the answer.

    def where(self, source, language):
        text, e = self.expression(language, "COND", 3)
        lines = e and source.head + [line for line, record in zip(source.lines, source.records) if e.get(record)]
        return ["select", "-w", text], lines, list

    def values(self, source, language):
        kinds = "NUMBER NUMBER DURATION TIME TEXT ADDRESS LEVEL TRUTH".split()
        text, e = self.expression(language, self.rng.choice(kinds), 3)
        rows = e and [language.json(e, record) for record in source.records]
        ascii_only = lambda member: json.dumps(json.loads(member)) if member[0] == '"' else member
        read = lambda lines: [ascii_only(line[5:-1]) for line in lines]
        return ["select", "-k", f"v={text}", "--to", "json"], rows, read

    def count(self, source, language):
        text, e = self.expression(language, "COND", 3)
        return ["stats", "-a", f"count[{text}]"], e and [str(sum(map(bool, map(e.get, source.records))))], list

    def tally(self, source, language):
        text, e = self.expression(language, "TEST", 3)
        groups = e and collections.Counter(str(int(e.get(record))) for record in source.records)
        return ["count", "-k", f"v={text}"], e and sorted(f"{key}\t{n}" for key, n in groups.items()), sorted

    def having(self, source, language):
        return self.groups(source, language, ["--having", "{0}"])

    def then(self, source, language):
        return self.groups(source, language, ["then", "select", "-w", "{0}", "-k", "{1},count", "--to", "tsv"])

    def groups(self, source, language, words):
        """A condition on groups, whose key is a field or its bucket."""
        field = self.rng.choice([name for name, kind in source.schema.items() if kind != "unknown"])
        buckets = {"time": ":hour :day :month :year :week", "number": ":num :100 :log2", "text": ":lower",
                   "level": ":level", "address": ":address"}.get(source.schema[field], "").split()
        name = field + self.rng.choice(["", *buckets])
        key = language.parse(name)
        texts = [language.show(key.get(record), key.kind) for record in source.records]
        groups = collections.Counter(text for text in texts if text not in (None, "", "-"))
        columns = Language({name: key.kind, "count": "number"}, language.clock)
        text, e = self.expression(columns, "COND", 2)
        rows = e and [(key, n) for key, n in groups.items() if e.get({name: key, "count": Fraction(n)})]
        words = ["count", "-k", name, "-w", f"has({field})", *(word.format(text, name) for word in words)]
        return words, e and sorted(f"{key}\t{n}" for key, n in rows), sorted


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("mrc", metavar="MRC")
    parser.add_argument("--count", type=int, default=1000, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="S")
    parser.add_argument("--skip", metavar="REGEX", help="leave out the commands that match")
    options = parser.parse_args()
    directory = pathlib.Path(tempfile.gettempdir()) / f"mrc-expressions-{options.seed}"
    directory.mkdir(exist_ok=True)
    checker = Checker(options, directory)
    while sum(checker.counts.values()) < options.count:
        checker.one()
    print("\n".join(f"{n:6} {place}" for place, n in sorted(checker.counts.items())))
    print(f"{options.count} expressions, {checker.differ} differ")
    return 1 if checker.differ else 0


if __name__ == "__main__":
    sys.exit(main())
