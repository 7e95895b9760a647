#!/usr/bin/env python3
"""Sample documents for the report page, and the page with a document in it.

Usage: sample_report.py NAME FILE.html    (NAME: year, hour, empty, profile, log, attack, plain)
"""
import datetime
import html
import json
import math
import pathlib
import random
import re
import sys

SOURCES = pathlib.Path(__file__).resolve().parents[2] / "cmd" / "report"
UTC = datetime.timezone.utc


def assemble(document):
    """Returns the page with the document, as mrc writes it."""
    page = (SOURCES / "page.html").read_text()
    page = re.sub(r"@(\w+\.(?:css|js))@", lambda m: (SOURCES / m[1]).read_text(), page)
    text = json.dumps(document, ensure_ascii=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, "\\u%04x" % ord(character))
    text = re.sub("[\ud800-\udfff]", lambda m: "\\u%04x" % ord(m[0]), text)
    title = html.escape(document["title"].replace("\0", "\ufffd"))
    return re.sub("@(TITLE|DATA)@", lambda m: {"TITLE": title, "DATA": text}[m[1]], page)


def column(name, kind="text", **more):
    return dict(name=name, kind=kind, **more)


def number(name):
    return column(name, "number")


REQUESTS = [number("requests"), number("visitors"), column("bytes", "bytes")]


def panel(name, title, shape, columns, keys, rows, groups=None, about="", **more):
    return dict(name=name, title=title, shape=shape, about=about, columns=columns, keys=keys,
                rows=rows, groups=len(rows) if groups is None else groups, whole=True, **more)


def report(title, panels, figures, start=None, end=None, records=0, **more):
    document = dict(version="0.3.0", title=title, inputs=[title], format="combined",
                    made="2026-05-06T06:00:00Z", **{"from": start, "to": end}, records=records,
                    bad_records=0, notes=[], figures=figures, panels=panels)
    document.update(more)
    return document


def figure(name, value, kind="number"):
    return dict(name=name, value=value, kind=kind)


def iso(time):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ")


# --- Parts of an access log ---

def hours(rng, start, count, size):
    """Requests by hour with the rhythm of days and weeks, a spike, and an outage."""
    rows = []
    for index in range(count):
        time = start + datetime.timedelta(hours=index)
        day = 1 + 0.75 * math.sin((time.hour - 9) / 24 * 2 * math.pi)
        week = 0.55 if time.weekday() > 4 else 1
        grow = 1 + index / count
        spike = 4 if count * 0.61 < index < count * 0.613 else 1
        if count > 1000 and count * 0.35 < index < count * 0.352:
            continue
        requests = int(size * day * week * grow * spike * rng.uniform(0.8, 1.2)) + 1
        rows.append([iso(time), requests, int(requests / rng.uniform(6, 9)) + 1,
                     requests * rng.randint(9000, 16000)])
    return rows


def ranked(rng, names, size, power=0.9):
    rows = []
    for rank, name in enumerate(names):
        requests = max(1, int(size / (rank + 1) ** power))
        keys = name if isinstance(name, list) else [name]
        rows.append(keys + [requests, max(1, int(requests / rng.uniform(2, 9))),
                            requests * rng.randint(2000, 90000)])
    return sorted(rows, key=lambda row: -row[len(keys)])


WORDS = ("guide reports pricing blog docs install search login account cart about contact feed "
         "news images static assets api v2 users orders products release notes download").split()


def paths(rng, count):
    found = ["/", "/docs/", "/blog/", "/robots.txt", "/favicon.ico", "/assets/app.css"]
    while len(found) < count:
        parts = [rng.choice(WORDS) for _ in range(rng.randint(1, 6))]
        path = "/" + "/".join(parts) + rng.choice(["", "/", ".html", "?page=%d" % len(found)])
        if path not in found:
            found.append(path)
    return found


def addresses(rng, count):
    return [".".join(str(rng.randint(1, 254)) for _ in range(3)) + ".0/24" for _ in range(count)]


def agents():
    systems = ["Windows NT 10.0; Win64; x64", "Macintosh; Intel Mac OS X 10_15_7",
               "X11; Linux x86_64", "Linux; Android 14; Pixel 8", "iPhone; CPU iPhone OS 17_4"]
    return ["Mozilla/5.0 (%s) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/%d.0.0.0 Safari/537.36"
            % (system, version) for version in range(90, 150) for system in systems]


def key_panels(rng, size, count):
    urls = paths(rng, count * 3)
    make = lambda name, title, key, names, **more: panel(
        name, title, "table", [column(key, more.pop("kind", "text"))] + REQUESTS, 1,
        ranked(rng, names[:count], size), len(names), **more)
    hosts = ["%s.example" % word for word in WORDS * 15]
    yield make("pages", "Pages", "path", urls, about="Successful requests other than assets.")
    yield make("referrers", "Referrers", "referrer",
               ["(none)"] + ["https://%d.%s/" % (i, host) for i, host in enumerate(hosts)])
    yield status_panel(size)
    yield make("browsers", "Browsers", "browser",
               ["Chrome", "Safari", "Firefox", "Edge", "Samsung Internet", "Opera", "curl", ""])
    yield make("not-found", "Not found (404)", "path", urls[count:])
    yield panel("missing-from", "Where missing pages are linked", "table",
                [column("path"), column("referrer")] + REQUESTS, 2,
                ranked(rng, [[a, "https://" + b + "/" + a.strip("/")] for a, b in
                             zip(urls[:count], hosts)], size // 9))
    yield panel("entries", "Entry pages", "table", [column("path"), number("sessions")], 1,
                [[url, size // (i + 1)] for i, url in enumerate(urls[:count])], len(urls),
                about="Pages with which sessions begin.")
    for name, title, key in [("assets", "Assets", "path"),
                             ("errors", "Server errors (5xx)", "path")]:
        yield make(name, title, key, urls[:count * 2])
    for name, title in [("networks", "Networks"), ("clients", "Clients"), ("bots", "Bot networks")]:
        yield make(name, title, "network", addresses(rng, count * 2), kind="ip")
    yield make("agents", "User agents", "agent", agents())
    yield make("systems", "Systems", "system", ["Windows", "Android", "iOS", "macOS", "Linux"])
    yield make("families", "Bots", "bot", ["Googlebot", "bingbot", "GPTBot", "AhrefsBot", None])
    yield make("hosts", "Virtual hosts", "host", hosts)
    yield make("words", "Search words", "words", [a + " " + b for a in WORDS for b in WORDS])
    yield make("countries", "Countries", "country",
               ["Germany", "France", "日本", "العراق", "Brasil"])


def status_panel(size):
    rows = [["2xx", int(size * 8.1), size, size * 90000], ["3xx", size, size // 3, size * 300],
            ["4xx", int(size * .61), size // 9, size * 500], ["5xx", size // 90, 77, size * 3]]
    return panel("status", "Status classes", "bars", [column("status")] + REQUESTS, 1, rows)


def rhythm_panels(rng, size):
    days = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
    wave = lambda hour: 1 + 0.75 * math.sin((hour - 9) / 24 * 2 * math.pi)
    yield panel("hour-of-day", "Hour of the day", "bars", [column("hour"), number("requests")], 1,
                [["%02d" % h, int(size * wave(h) * rng.uniform(.9, 1.1))] for h in range(24)])
    yield panel("weekdays", "Weekdays", "bars", [column("weekday"), number("requests")], 1,
                [[d, int(size * (.6 if d[0] == "S" else 1) * rng.uniform(.9, 1.1))] for d in days])
    yield panel("heat", "Week", "heat", [number("weekday"), number("hour"),
                                         number("requests"), column("bytes", "bytes")], 2,
                [[d, h, int(size * wave(h) * (.55 if d > 5 else 1) * rng.uniform(.85, 1.15)),
                  size * 1000 * h] for d in range(1, 8) for h in range(24) if (d, h) != (3, 4)])
    yield panel("sizes", "Response sizes", "bars", [column("size"), number("responses")], 1,
                [["%d–%d kB" % (2 ** i, 2 ** (i + 1)), int(size / (1 + (i - 5) ** 2))]
                 for i in range(14)])
    rows = [[path, rng.randint(50, 9999), .0042 * i, .21 * i, 3.1 * i, i / 3, None if i % 9 else 1]
            for i, path in enumerate(paths(rng, 120), 1)]
    yield panel("slow", "Slow pages", "table",
                [column("path"), number("requests"), column("p50", "seconds"),
                 column("p95", "seconds"), column("max", "seconds"), column("5xx", "percent"),
                 number("timeouts")], 1, sorted(rows, key=lambda row: -row[1]))


def status_days(rng, start, days, size):
    rows = []
    for day in range(days):
        time = (start + datetime.timedelta(days=day)).strftime("%Y-%m-%d")
        for name, share in [("2xx", 1), ("3xx", .2), ("4xx", .12), ("5xx", .02)]:
            bad = 12 if name == "5xx" and day == days * 2 // 3 else 1
            rows.append([time, name, int(size * share * bad * rng.uniform(.7, 1.3))])
    return panel("status-days", "Status classes per day", "time",
                 [column("day", "time"), column("status"), number("requests")], 2, rows)


# --- Documents ---

def access(rng, start, count, size, top, title):
    by_hour = hours(rng, start, count, size)
    requests = sum(row[1] for row in by_hour)
    sent = sum(row[3] for row in by_hour)
    total = requests // 12
    panels = [panel("hours", "Requests per hour", "time", [column("time", "time")] + REQUESTS, 1,
                    by_hour)]
    panels += key_panels(rng, total, top)
    days = max(1, count // 24)
    panels += [status_days(rng, start, days, requests // days)]
    panels += rhythm_panels(rng, total)
    for index in range(30 - len(panels)):
        rows = ranked(rng, ["HTTP/%d.%d" % (n, index) for n in range(3)], total)
        panels.append(panel("own%d" % index, "Protocols %d" % (index + 1), "table",
                            [column("protocol")] + REQUESTS, 1, rows))
    end = start + datetime.timedelta(hours=count, seconds=-3)
    figures = [figure("Requests", requests), figure("Visitors", requests // 31),
               figure("Sessions", requests // 22), figure("Page views", requests // 3),
               figure("Bandwidth", sent, "bytes"), figure("Errors", 0.37, "percent"),
               figure("Median time", 0.0482, "seconds")]
    return report(title, panels, figures, iso(start), iso(end), requests, bad_records=17,
                  notes=["17 bad records are left out: their request line is malformed."])


def year(rng):
    start = datetime.datetime(2025, 5, 5, 9, tzinfo=UTC)
    document = access(rng, start, 24 * 365, 420, 300, "access.log")
    document["inputs"] = ["access.log"] + ["access.log.%d.gz" % i for i in range(1, 53)]
    return document


def hour(rng):
    start = datetime.datetime(2026, 3, 7, 14, tzinfo=UTC)
    return access(rng, start, 1, 300, 12, "one-hour.log")


def empty(rng):
    panels = [panel("hours", "Requests per hour", "time", [column("time", "time")] + REQUESTS, 1,
                    [])]
    panels += [panel(name, title, "table", [column("path")] + REQUESTS, 1, [])
               for name, title in [("pages", "Pages"), ("referrers", "Referrers")]]
    panels.append(panel("heat", "Week", "heat", [number("weekday"), number("hour"),
                                                number("requests")], 2, []))
    figures = [figure("Requests", 0), figure("Visitors", 0), figure("Bandwidth", 0, "bytes"),
               figure("Median time", None, "seconds")]
    return report("empty.log", panels, figures, format=None)


def bins_of(counts, first, width):
    return [dict([("from", first + width * i), ("to", first + width * (i + 1)), ("count", count)])
            for i, count in enumerate(counts)]


def histograms(rng):
    """The bins of the fields of the profile, in the order of its rows; null where there are none."""
    amounts = [int(9000 / (1 + abs(i - 4))) for i in range(19)] + [1]
    months = ["2025-%02d-01T00:00:00+01:00" % month for month in range(1, 13)] + [
        "2026-01-01T00:00:00+01:00"]
    return [bins_of([5000] * 18 + [210], 0, 5000), None, bins_of(amounts, -50, 50),
            [dict([("from", "9007199254740992"), ("to", "9007199254740997"), ("count", 90210)])],
            [dict([("from", a), ("to", b), ("count", rng.randint(0, 9000))])
             for a, b in zip(months, months[1:])], None]


def profile(rng):
    columns = [column("field"), column("kind"), number("records"), number("missing"),
               number("distinct"), column("min", "text"), number("mean"), number("p50"),
               column("max", "text")]
    rows = [["id", "number", 90210, 0, 90210, "1", 45105.5, 45105, "90210"],
            ["customer", "text", 90210, 0, 5512, "Aachen & Co", None, None, "Zürich AG"],
            ["amount", "number", 90210, 31, 12001, "-12.5", 77.31, 49.9,
             "123456789012345678901234567890"],
            ["big", "number", 90210, 0, 2, "0", "9007199254740993", "9007199254740993",
             "9007199254740995"],
            ["ordered", "time", 90210, 4, 365, "2025-01-01T00:00:00+01:00", None, None,
             "2025-12-31T23:00:00+01:00"],
            ["comment", "text", 90210, 80111, 9000, "", None, None, "z" * 300]]
    tops = [panel("top-" + row[0], "Values of " + row[0], "table",
                  [column("value"), number("records")], 1,
                  ranked_pairs(rng, row[0])) for row in rows[1:4]]
    bins = panel("histogram", "Amounts", "bars", [column("amount"), number("records")], 1,
                 [["%d–%d" % (i * 10, i * 10 + 10), int(9000 / (1 + abs(i - 4)))]
                  for i in range(20)])
    figures = [figure("Records", 90210), figure("Fields", 6), figure("Missing cells", 80146),
               figure("First order", "2025-01-01T00:00:00+01:00", "time"),
               figure("Largest", "9007199254740993")]
    fields = panel("fields", "Fields", "profile", columns, 1, rows, histograms=histograms(rng))
    return report("orders.csv", [fields, bins] + tops, figures, records=90210, format="csv")


def ranked_pairs(rng, name):
    return [["%s %d" % (name, i), 90000 // (i + 1)] for i in range(60)]


def log(rng):
    """A log with local times that cross a change of clocks, levels, and message patterns."""
    rows = []
    for index in range(96):
        utc = datetime.datetime(2025, 10, 25, 0, tzinfo=UTC) + datetime.timedelta(hours=index)
        offset = 2 if index < 25 else 1
        local = (utc + datetime.timedelta(hours=offset)).strftime("%Y-%m-%dT%H:%M:%S")
        for level, mean in [("error", 3), ("warn", 15), ("info", 200), ("debug", 90)]:
            rows.append(["%s+%02d:00" % (local, offset), level, rng.randint(mean // 2, mean * 2)])
    patterns = [["connection to <ip>:<n> failed after <n> ms", 4012, rows[0][0], rows[-1][0],
                 "connection to 10.0.0.7:5432 failed after 3000 ms", 0.98],
                ["user <id> logged in", 977, rows[5][0], rows[90][0], "user 4711 logged in", 0]]
    loggers = [["org.example.service.LoggerNumber%d" % i, 9000 // (i + 1)] for i in range(40)]
    panels = [panel("levels", "Records per hour by level", "time",
                    [column("time", "time"), column("level"), number("records")], 2, rows,
                    step=3600),
              panel("patterns", "Message patterns", "table",
                    [column("pattern"), number("records"), column("first", "time"),
                     column("last", "time"), column("example"), column("errors", "percent")], 1,
                    patterns),
              panel("loggers", "Loggers", "table", [column("logger"), number("records")], 1,
                    loggers)]
    return report("app.log", panels, [figure("Records", 29568), figure("Errors", 288),
                  figure("Patterns", 2), figure("Top logger", "org.example.service.Main", "text")],
                  rows[0][0], rows[-1][0], 29568, format="log")


ATTACKS = ["<script>window.attacked = 1</script>", "</script><script>window.attacked = 1</script>",
           "\"><img src=x onerror='window.attacked = 1'>", "' onmouseover='window.attacked = 1",
           "<!--<script>", "]]>", "\u202egnp.exe\u202c", "\u2066isolate\u2069", "a\0b", "\r\n\t",
           "\u2028\u2029", "javascript:window.attacked=1", "{{constructor.constructor('x')()}}",
           "🏳️‍🌈👩‍👩‍👧‍👦", "\ud800", "/" + "very-long/" * 1000, "a" * 10000, "=cmd|' /C calc'!A0",
           "&lt;b&gt;&amp;", "<svg onload=window.attacked=1>", "__proto__", "constructor",
           "@DATA@", "@TITLE@", "${window.attacked = 1}", "", " ", "العراق", "\x1b[31mred\x1b[0m"]


def hostile(rng, attacks):
    """Documents with a text of the log in every field that can have one."""
    text = lambda: rng.choice(attacks[:9])
    shapes = [("table", 1), ("table", 2), ("bars", 1), ("profile", 1)]
    panels = []
    times = ["2026-01-0%dT0%d:00:00Z" % (d, h) for d in range(1, 5) for h in range(10)]
    panels.append(panel("hours", text(), "time", [column(attacks[0], "time"), column(attacks[1]),
                  number(attacks[2])], 2,
                  [[time, attack, 5] for time in times for attack in attacks]))
    for shape, keys in shapes:
        names = [column(attacks[i % len(attacks)]) for i in range(keys)]
        rows = [[attack] * keys + [i, attack] for i, attack in enumerate(attacks, 1)]
        panels.append(panel(text(), attacks[1], shape, names + [number(attacks[0]),
                      column(attacks[2], "text")], keys, rows, about=attacks[0],
                      histograms=[[{"from": each, "to": each, "count": each},
                                   {"from": 1, "to": 2, "count": 3}] for each in attacks]
                      if shape == "profile" else None))
    panels.append(panel("heat", attacks[0], "heat", [number(attacks[0]), number(attacks[1]),
                                                    number(attacks[2])], 2, [[1, 2, 3]]))
    panels.append(panel("bad", attacks[2], "time", [column("t", "time"), number("n")], 1,
                        [[attack, 1] for attack in attacks]))
    panels.append(panel("kinds", attacks[1], "table", [column("key")] + [
        column(kind, kind) for kind in ("number", "bytes", "seconds", "percent", "time", "ip")], 1,
        [[attack] * 7 for attack in attacks]))
    figures = [figure(attack, attack, kind) for attack in attacks[:4]
               for kind in ("number", "bytes", "seconds", "percent", "time", "text")]
    return report(attacks[0], panels, figures, "2026-01-01T00:00:00Z", attacks[1], 80,
                  format=attacks[0], inputs=attacks, notes=attacks, version=attacks[2])


def attack(rng):
    return hostile(rng, ATTACKS)


def plain(rng):
    """The attack document with harmless text of equal length in place of each attack."""
    return hostile(rng, ["" if not a else "t%d" % i + "x" * (len(a) - 3)
                         for i, a in enumerate(ATTACKS)])


DOCUMENTS = dict(year=year, hour=hour, empty=empty, profile=profile, log=log, attack=attack,
                 plain=plain)


def document(name):
    return DOCUMENTS[name](random.Random(7))


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in DOCUMENTS:
        sys.exit(__doc__.strip())
    pathlib.Path(sys.argv[2]).write_text(assemble(document(sys.argv[1])))
