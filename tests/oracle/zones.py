#!/usr/bin/env python3
"""Compares buckets, parts and comparisons of times with Python's zoneinfo, where clocks are changed.

For each time zone of the system, the program writes instants around each change of some years, and
runs them through mrc with --tz. Each difference is printed as a command that can be repeated. The
exit status is 1 if there are any.
"""
import argparse
import bisect
import datetime
import pathlib
import shlex
import subprocess
import sys
import tempfile
import zoneinfo

from expressions import FUNCTIONS, SECOND, UTC, Clock, holds, number_text

YEARS = (1942, 1976, 1996, 2007, 2015, 2024, 2026, 2040)
BUCKETS = "second minute hour 15m 30m 2h 6h day 7d week month year hourofday weekday".split()
PARTS = "year month day hour minute weekday".split()
DAY = 86400
# Seconds from a change.
NEAR = (-DAY, -7200, -5400, -3600, -1801, -1, 0, 1, 1799, 1800, 3600, 5399, 7200, DAY)


def changes(clock, year):
    """The seconds of a year at which clocks are put forward or back."""
    first = int(datetime.datetime(year, 1, 1, tzinfo=UTC).timestamp())
    for day in range(first, first + 366 * DAY, DAY):
        before = clock.offset(day)
        if clock.offset(day + DAY) != before:
            changed = lambda second: clock.offset(second) != before
            yield day + bisect.bisect_left(range(day, day + DAY), True, key=changed)


class Checker:
    """Runs the instants of one zone after another."""

    def __init__(self, mrc, directory):
        self.mrc, self.file, self.compared, self.differ = mrc, directory / "times.csv", 0, 0

    def check(self, clock, words, expected):
        """Runs a command and compares its lines."""
        command = [self.mrc, words[0], "-f", "csv", "--tz", clock.name, *words[1:], str(self.file)]
        got = subprocess.run(command, capture_output=True, check=False).stdout.decode().splitlines()
        self.compared += len(expected)
        if expected == got:
            return
        pair = next((pair for pair in zip(expected, got) if pair[0] != pair[1]), (expected[:1], got[:1]))
        self.differ += 1
        print("{}\n    expected {}\n    got      {}".format(shlex.join(command), *pair), flush=True)

    def zone(self, name):
        clock = Clock(name)
        around = [second for year in YEARS for second in changes(clock, year)]
        seconds = sorted({change + near for change in around for near in NEAR})
        if not seconds:
            return
        texts = [datetime.datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%SZ") for second in seconds]
        self.file.write_text("\n".join(["at", *texts, ""]))
        self.values(clock, seconds)
        self.conditions(clock, seconds, around)

    def values(self, clock, seconds):
        keys = [f"at:{bucket}" for bucket in BUCKETS] + [f"{part}(at)" for part in PARTS]
        show = lambda value: value if isinstance(value, str) else number_text(value)
        rows = []
        for second in seconds:
            row = [clock.bucket(second * SECOND, bucket) for bucket in BUCKETS]
            row += [FUNCTIONS[part][2](clock, second * SECOND) for part in PARTS]
            rows.append("\t".join(map(show, row)))
        self.check(clock, ["select", "-k", ",".join(keys)], rows)

    def conditions(self, clock, seconds, around):
        """Compares with local times before, in and after what clocks skip or show twice."""
        conditions, counts = [], []
        for change in around[-8:]:
            local = clock.local(change * SECOND).replace(tzinfo=None)
            for minutes in (-61, -60, -31, -30, -1, 0, 30):
                text = (local + datetime.timedelta(minutes=minutes)).strftime("%Y-%m-%dT%H:%M")
                span = clock.span(text)
                for sign in ("==", "<", ">="):
                    conditions.append(f"count[at {sign} {text}]")
                    counts.append(sum(holds(sign, second * SECOND, span) for second in seconds))
        self.check(clock, ["stats", "-a", ",".join(conditions)], ["\t".join(map(str, counts))])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("mrc", metavar="MRC")
    parser.add_argument("zones", metavar="ZONE", nargs="*", help="all zones of the system, if none is given")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        checker = Checker(options.mrc, pathlib.Path(directory))
        for name in options.zones or sorted(zoneinfo.available_timezones()):
            checker.zone(name)
    print(f"{checker.compared} rows, {checker.differ} zones differ")
    return 1 if checker.differ else 0


if __name__ == "__main__":
    sys.exit(main())
