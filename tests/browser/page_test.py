#!/usr/bin/python3
"""Opens the report page in headless Chromium and uses it as a person does.

Exits with 0 and a message if Chromium, its driver, or Selenium is missing.
"""
import csv
import datetime
import io
import json
import re
import unittest

import sample_report
from browser import CONTRAST, NAMELESS, TABLE, BrowserTest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

WIDTHS = [375, 768, 1440, 1920]
ATTRIBUTE = re.compile(r"<[^>]*\son\w+\s*=")
FORBIDDEN = ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(",
             "new Function", "fetch(", "XMLHttpRequest", "import(", "http:", "https:"]

def local_time(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).replace(tzinfo=None)


def moment(text):
    return datetime.datetime.strptime(text.replace("\u00a0", " "), "%d %b %Y, %H:%M")


def shown_number(value):
    return f"{int(value):,}"


class PageTest(BrowserTest):
    # --- Loading ---

    def test_loads_without_messages_or_requests(self):
        for name, document in self.documents.items():
            with self.subTest(name):
                self.open(name)
                self.assertEqual(self.browser.get_log("browser"), [])
                events = [json.loads(entry["message"])["message"]
                          for entry in self.browser.get_log("performance")]
                urls = [e["params"]["request"]["url"] for e in events
                        if e["method"] == "Network.requestWillBeSent"]
                self.assertLessEqual(set(urls), {self.path(name).as_uri(), "data:,"})
                self.assertEqual(len(self.all("section")), len(document["panels"]))

    def test_source_has_no_way_to_make_markup_of_text(self):
        template = sample_report.assemble(dict(self.documents["empty"], title="t", panels=[]))
        self.assertLess(len(template), 100_000)
        code = template.replace("http://www.w3.org/2000/svg", "")
        for word in FORBIDDEN:
            self.assertNotIn(word, code)
        self.assertIsNone(ATTRIBUTE.search(template))
        self.assertIn("default-src 'none'", template)

    def test_policy_blocks_requests(self):
        self.open("empty")
        self.assertEqual(self.browser.execute_async_script(
            "const done = arguments[0];"
            "document.addEventListener('securitypolicyviolation', e => done(e.effectiveDirective));"
            "new Image().src = 'http://127.0.0.1:9/';"), "img-src")
        self.browser.get_log("browser")

    def test_stays_usable_without_storage(self):
        script = self.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", dict(
            source="Object.defineProperty(window, 'localStorage', {get() { throw Error('no'); }})"))
        try:
            self.open("hour")
            self.click(self.find(".theme"))
            self.assertEqual(self.find("html").get_attribute("data-theme"), "dark")
            self.assertEqual(self.browser.get_log("browser"), [])
        finally:
            self.browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)

    # --- Numbers ---

    def test_figures_equal_the_document(self):
        self.open("year")
        shown = [(e.text, f.text, f.get_attribute("title"))
                 for e, f in zip(self.all("dt"), self.all("dd"))]
        for (name, text, title), item in zip(shown, self.documents["year"]["figures"]):
            self.assertEqual(name, item["name"])
            if item["kind"] == "number":
                self.assertEqual(text, shown_number(item["value"]))
            elif item["kind"] == "bytes":
                self.assertEqual(title, shown_number(item["value"]) + " bytes")
        self.assertEqual(shown[5][1:], ("0.37%", "0.37%"))
        self.assertEqual(shown[6][1].replace("\u00a0", " "), "48.2 ms")

    def check_row(self, cells, row, columns):
        for (text, title), value, column in zip(cells, row, columns):
            if value is None:
                self.assertEqual(text, "missing")
            elif value == "":
                self.assertEqual(text, "empty")
            elif column["kind"] == "bytes":
                self.assertIn(shown_number(value), (title or text).replace("\u00a0", " "))
            elif column["kind"] == "number":
                self.assertEqual(text.replace(",", ""), str(value))
            elif column["kind"] in ("text", "ip"):
                self.assertEqual(text, value)

    def test_tables_equal_the_document(self):
        self.open("year")
        document = self.documents["year"]
        for index, panel in enumerate(document["panels"]):
            if panel["shape"] != "table":
                continue
            section = self.find("#p%d" % index)
            self.grow(section)
            rows = self.browser.execute_script(TABLE, section)
            self.assertEqual(len(rows), len(panel["rows"]), panel["name"])
            for cells, row in zip(rows, panel["rows"]):
                self.check_row(cells, row, panel["columns"])

    def test_numbers_below_charts_equal_the_document(self):
        self.open("year")
        for name in ("hours", "hour-of-day", "heat", "status-days", "sizes"):
            section, panel = self.section(self.documents["year"], name)
            self.click(self.find("summary", section))
            self.grow(self.find("details", section)) if name == "heat" else None
            rows = self.browser.execute_script(TABLE, self.find("details", section))
            self.assertGreater(len(rows), 13)
            for cells, row in zip(rows, panel["rows"]):
                self.check_row(cells, row, panel["columns"])

    def test_heat_map_equals_the_document(self):
        self.open("year")
        section, panel = self.section(self.documents["year"], "heat")
        shown = self.browser.execute_script(
            "return [...arguments[0].querySelectorAll('.heat tbody tr')].map(row =>"
            "[...row.querySelectorAll('td')].map(cell => cell.textContent))", section)
        expected = [["0"] * 24 for _ in range(7)]
        for day, hour, requests, _ in panel["rows"]:
            expected[day - 1][hour] = shown_number(requests)
        self.assertEqual(shown, expected)

    def test_large_numbers_stay_exact(self):
        self.open("profile")
        text = self.find("#p0").text
        self.assertIn("9,007,199,254,740,993", text)
        self.assertIn("123456789012345678901234567890", text)
        self.assertIn("–", text)

    def test_entry_pages_show_sessions(self):
        for width in (375, 1440):
            self.resize(width)
            self.open("year")
            section, panel = self.section(self.documents["year"], "entries")
            self.assertEqual(self.find("h2", section).text, "Entry pages")
            self.assertEqual(self.find(".about", section).text, panel["about"])
            rows = self.browser.execute_script(TABLE, section)
            self.assertEqual([[path, count.replace(",", "")] for (path, _), (count, _) in rows],
                             [[path, str(count)] for path, count in panel["rows"][:len(rows)]])
            self.assertIn("of " + shown_number(panel["groups"]), self.find(".count", section).text)
            share = self.find("tbody .bar", section).get_attribute("style")
            self.assertIn("100%", share)

    def test_histograms_equal_the_document(self):
        self.open("profile")
        section, panel = self.section(self.documents["profile"], "fields")
        shown = self.browser.execute_script(
            "return [...arguments[0].querySelectorAll('tbody tr')].map(row => {"
            "const svg = row.querySelector('svg');"
            "return svg && [svg.getAttribute('role'), svg.getAttribute('aria-label'),"
            "[...svg.querySelectorAll('g')].map(bar => [bar.querySelector('title').textContent,"
            "Number(bar.querySelector('.c0').getAttribute('height'))])]})", section)
        self.assertEqual([row is None for row in shown],
                         [bins is None for bins in panel["histograms"]])
        for row, bins in zip(shown, panel["histograms"]):
            if bins is None:
                continue
            role, label, bars = row
            self.assertEqual(role, "img")
            self.assertTrue(label.startswith("Distribution of "), label)
            self.assertIn("%d bar" % len(bins), label)
            self.assertEqual([int(title.split(": ")[-1].split()[0].replace(",", ""))
                              for title, _ in bars], [each["count"] for each in bins])
            largest = max(each["count"] for each in bins)
            for (_, height), each in zip(bars, bins):
                share = 26 * each["count"] / largest
                self.assertAlmostEqual(height, max(1, share) if each["count"] else 0, 3)
        self.assertIn("-50 to 0: 1,800 records", shown[2][2][0][0])
        self.assertIn("9,007,199,254,740,992 to 9,007,199,254,740,997: 90,210", shown[3][1])

    def test_histograms_are_drawn_in_both_themes_and_narrow(self):
        for scheme in ("light", "dark"):
            self.media(scheme)
            for width in WIDTHS:
                with self.subTest(scheme=scheme, width=width):
                    self.resize(width)
                    self.open("profile")
                    for svg in self.all("#p0 svg"):
                        self.assertTrue(svg.is_displayed())
                        self.assertEqual(svg.size["height"], 28)
                        self.assertLessEqual(svg.location["x"] + svg.size["width"], width)
                        bar = self.find(".c0", svg)
                        self.assertNotEqual(bar.value_of_css_property("fill"),
                                            self.find("body").value_of_css_property(
                                                "background-color"))

    def test_histograms_are_not_copied(self):
        self.open("profile")
        self.click(self.find("#p0 .copy"))
        copied = list(csv.reader(io.StringIO(self.clipboard())))
        columns = self.documents["profile"]["panels"][0]["columns"]
        self.assertEqual(copied[0], [column["name"] for column in columns])
        self.assertEqual({len(row) for row in copied}, {len(columns)})

    def test_chart_adds_hours_to_days(self):
        self.open("year")
        section, panel = self.section(self.documents["year"], "hours")
        self.find(".plot", section).send_keys(Keys.END, *[Keys.ARROW_LEFT] * 10)
        tip = self.find(".tip", section).text.replace("\u00a0", " ")
        day, value = tip.split("\n")
        date = datetime.datetime.strptime(day, "%a %d %b %Y").strftime("%Y-%m-%d")
        requests = sum(row[1] for row in panel["rows"] if row[0].startswith(date))
        self.assertEqual(value, shown_number(requests) + " requests")

    def test_clock_changes_lose_no_hour(self):
        self.open("log")
        section, panel = self.section(self.documents["log"], "levels")
        plot = self.find(".plot", section)
        totals = dict()
        for row in panel["rows"]:
            totals[row[0][:16]] = totals.get(row[0][:16], 0) + row[2]
        plot.send_keys(Keys.HOME, *[Keys.ARROW_RIGHT] * 24)
        values = re.findall(r"^([\d,]+) ", self.find(".tip", section).text, re.M)
        self.assertEqual(sum(int(v.replace(",", "")) for v in values), totals["2025-10-26T02:00"])

    # --- Use ---

    def test_sorts_by_any_column(self):
        self.open("year")
        section, panel = self.section(self.documents["year"], "pages")
        heads = self.all("thead button", section)
        given = [row[0] for row in panel["rows"]]
        self.assertEqual(self.keys_of(section), given[:8])
        self.click(heads[2])
        order = sorted(panel["rows"], key=lambda row: -row[2])
        self.assertEqual(self.keys_of(section), [row[0] for row in order[:8]])
        self.assertEqual(self.find("th[aria-sort='descending']", section).text, "visitors")
        self.click(heads[2])
        order = sorted(panel["rows"], key=lambda row: row[2])
        self.assertEqual(self.keys_of(section), [row[0] for row in order[:8]])
        self.click(heads[2])
        self.assertEqual(self.keys_of(section), given[:8])
        self.click(heads[0])
        self.assertEqual(self.keys_of(section)[0], "/")

    def test_sorts_missing_values_last(self):
        self.open("year")
        section, panel = self.section(self.documents["year"], "slow")
        self.click(self.all("thead button", section)[6])
        self.grow(section)
        shown = [row[6][0] for row in self.browser.execute_script(TABLE, section)]
        some = sum(row[6] is not None for row in panel["rows"])
        self.assertEqual(shown, ["1"] * some + ["missing"] * (len(shown) - some))

    def test_searches_all_rows(self):
        self.open("year")
        section, panel = self.section(self.documents["year"], "pages")
        self.find("input", section).send_keys("BLOG/")
        self.grow(section)
        expected = [row[0] for row in panel["rows"] if "blog/" in row[0]]
        self.assertEqual(self.keys_of(section), expected)
        self.assertIn("%d rows found" % len(expected), self.find(".count", section).text)
        self.find("input", section).send_keys("zzz")
        self.assertEqual(self.keys_of(section), [])

    def test_copies_what_was_found_as_csv(self):
        self.open("year")
        section, panel = self.section(self.documents["year"], "pages")
        self.click(self.find(".copy", section))
        WebDriverWait(self.browser, 5).until(lambda b: "Copied 300" in section.text)
        rows = list(csv.reader(io.StringIO(self.clipboard())))
        self.assertEqual(rows[0], [column["name"] for column in panel["columns"]])
        self.assertEqual(rows[1:], [[str(cell) for cell in row] for row in panel["rows"]])
        self.find("input", section).send_keys("blog/")
        WebDriverWait(self.browser, 5).until(lambda b: "Copy CSV" in section.text)
        self.click(self.find(".copy", section))
        WebDriverWait(self.browser, 5).until(lambda b: "Copied" in section.text)
        found = [row for row in panel["rows"] if "blog/" in row[0]]
        self.assertEqual(len(list(csv.reader(io.StringIO(self.clipboard())))), 1 + len(found))

    def test_copied_csv_has_every_byte(self):
        self.open("attack")
        self.click(self.find("#p3 .copy"))
        WebDriverWait(self.browser, 5).until(lambda b: "Copied" in self.find("#p3").text)
        rows = list(csv.reader(io.StringIO(self.clipboard(), newline="")))
        expected = [[str(cell) for cell in row]
                    for row in self.documents["attack"]["panels"][3]["rows"]]
        clean = lambda text: re.sub("[\ud800-\udfff]", "\ufffd", text)
        self.assertEqual(rows[1:], [[clean(cell) for cell in row] for row in expected])

    def check_range(self, panel):
        """Checks that the sums shown are those of the hours between the handles."""
        ends = [moment(h.get_attribute("aria-valuetext")) for h in self.all(".handle")]
        rows = [row for row in panel["rows"] if ends[0] <= local_time(row[0]) < ends[1]]
        status = self.find(".status").text
        self.assertIn(": %s requests" % shown_number(sum(row[1] for row in rows)), status)
        self.assertIn("Tables and figures are of the whole period", status)
        self.assertNotIn("visitors", status)
        return ends

    def test_brushes_a_range_on_the_chart(self):
        self.open("year")
        section, panel = self.section(self.documents["year"], "hours")
        plot = self.find(".plot", section)
        before = self.find("#p3").text
        other = self.section(self.documents["year"], "status-days")[0]
        actions = ActionChains(self.browser).move_to_element_with_offset(plot, -200, 0)
        actions.click_and_hold().move_by_offset(60, 0).move_by_offset(60, 0).release().perform()
        ends = self.check_range(panel)
        self.assertTrue(20 < (ends[1] - ends[0]).days < 60, ends)
        self.assertIn(ends[0].strftime("%b %Y"), self.find(".caption", other).text)
        self.assertEqual(self.find("#p3").text, before)
        self.click(self.button("Show the whole period"))
        self.assertIn("5 May 2025", self.find(".caption", section).text.replace("\u00a0", " "))

    def test_brushes_with_the_strip(self):
        self.open("year")
        panel = self.documents["year"]["panels"][0]
        first, last = self.all(".handle")
        ActionChains(self.browser).drag_and_drop_by_offset(first, 300, 0).perform()
        ActionChains(self.browser).drag_and_drop_by_offset(last, -500, 0).perform()
        ends = self.check_range(panel)
        window = self.find(".window")
        ActionChains(self.browser).drag_and_drop_by_offset(window, 50, 0).perform()
        moved = self.check_range(panel)
        self.assertEqual(moved[1] - moved[0], ends[1] - ends[0])
        self.assertGreater(moved[0], ends[0])

    def test_brushes_with_the_keyboard(self):
        self.open("year")
        panel = self.documents["year"]["panels"][0]
        first, last = self.all(".handle")
        first.send_keys(Keys.ARROW_RIGHT, Keys.PAGE_UP)
        last.send_keys(Keys.PAGE_DOWN)
        self.check_range(panel)
        plot = self.find("#p0 .plot")
        plot.send_keys(Keys.HOME)
        ActionChains(self.browser).key_down(Keys.SHIFT).send_keys(
            Keys.ARROW_RIGHT, Keys.ARROW_RIGHT).key_up(Keys.SHIFT).send_keys(Keys.ENTER).perform()
        self.check_range(panel)
        self.assertTrue(self.find("#live").get_attribute("textContent"))
        plot.send_keys(Keys.ESCAPE)
        self.assertIn("Drag on a chart", self.find(".status").text)

    def test_switches_months(self):
        self.open("year")
        panel = self.documents["year"]["panels"][0]
        Select(self.find(".months select")).select_by_visible_text("August 2025")
        ends = self.check_range(panel)
        self.assertEqual(ends, [datetime.datetime(2025, 8, 1), datetime.datetime(2025, 9, 1)])
        self.click(self.all(".months button")[1])
        self.assertEqual(self.check_range(panel)[0], datetime.datetime(2025, 9, 1))

    def test_switches_the_theme(self):
        self.media("dark")
        self.open("hour")
        self.assertEqual(self.find("html").get_attribute("data-theme"), "dark")
        self.click(self.find(".theme"))
        self.assertEqual(self.find("html").get_attribute("data-theme"), "light")
        self.browser.refresh()
        self.assertEqual(self.find("html").get_attribute("data-theme"), "light")
        self.browser.execute_script("localStorage.clear()")

    def test_series_can_be_hidden(self):
        self.open("log")
        section = self.find("#p0")
        self.click(self.button("info", section))
        self.find(".plot", section).send_keys(Keys.HOME)
        self.assertNotIn("info", self.find(".tip", section).text)
        self.assertIn("debug", self.find(".tip", section).text)

    def test_long_text_can_be_expanded(self):
        self.open("attack")
        self.grow(self.find("#p1"))
        button = next(b for b in self.all("#p1 button") if "Show all 10,001" in b.text)
        cell = button.find_element(By.XPATH, "..")
        self.assertLess(len(cell.text), 400)
        self.click(button)
        self.assertEqual(len(cell.text.replace("Show less", "").strip()), 10001)

    # --- Looks ---

    def test_never_scrolls_sideways(self):
        for name in self.documents:
            self.open(name)
            for width in WIDTHS:
                with self.subTest(name=name, width=width):
                    self.resize(width)
                    self.settle()
                    self.assertLessEqual(self.browser.execute_script(
                        "return document.documentElement.scrollWidth"), width)

    def test_text_has_contrast_in_both_themes(self):
        for scheme in ("light", "dark"):
            self.media(scheme)
            for name in ("year", "log", "profile", "empty"):
                with self.subTest(name=name, scheme=scheme):
                    self.open(name)
                    self.browser.execute_script(
                        "document.querySelectorAll('details').forEach(d => d.open = true)")
                    checked, bad = self.browser.execute_script(CONTRAST)
                    self.assertGreater(checked, 10)
                    self.assertEqual(bad, [])

    def test_prints_without_controls_and_in_light_colors(self):
        self.media("dark")
        self.open("year")
        self.media("dark", "print")
        for selector in ("nav", ".theme", ".overview", ".tools"):
            self.assertFalse(self.find(selector).is_displayed(), selector)
        self.assertEqual(self.find("body").value_of_css_property("background-color"),
                         "rgba(255, 255, 255, 1)")

    # --- Accessibility ---

    def test_everything_has_a_name(self):
        for name in self.documents:
            with self.subTest(name):
                self.open(name)
                self.assertEqual(self.browser.execute_script(NAMELESS), [])
                self.assertEqual(self.all("th:not([scope])"), [])
                self.assertEqual(self.browser.execute_script(
                    "const ids = [...document.querySelectorAll('[id]')].map(e => e.id);"
                    "return ids.length - new Set(ids).size"), 0)
                self.assertTrue(self.browser.title)
                for chart in self.all(".plot"):
                    self.assertIn("chart", chart.get_attribute("aria-label"))
                    self.assertTrue(chart.find_elements(By.XPATH, "ancestor::section//details"))

    def test_landmarks_and_headings(self):
        self.open("year")
        for selector in ("header", "nav[aria-label]", "main", "footer", "h1", "a.skip"):
            self.assertEqual(len(self.all(selector)), 1, selector)
        self.assertEqual(len(self.all("section[aria-labelledby] h2")), 30)
        self.assertEqual(self.find("html").get_attribute("lang"), "en")

    def test_focus_is_seen(self):
        self.open("year")
        seen = set()
        for _ in range(40):
            ActionChains(self.browser).send_keys(Keys.TAB).perform()
            element = self.browser.switch_to.active_element
            seen.add(element.tag_name)
            self.assertEqual(element.value_of_css_property("outline-style"), "solid",
                             element.get_attribute("outerHTML")[:100])
        self.assertLessEqual({"a", "button"}, seen)

    def test_panels_menu_on_small_screens(self):
        self.resize(375)
        self.open("year")
        button = self.find("nav > button")
        self.assertFalse(self.find("nav ul").is_displayed())
        self.click(button)
        self.assertTrue(self.find("nav ul").is_displayed())
        button.send_keys(Keys.ESCAPE)
        self.assertFalse(self.find("nav ul").is_displayed())

    # --- Attacks ---

    def test_log_text_never_becomes_markup(self):
        counts = {}
        for name in ("plain", "attack"):
            self.open(name)
            self.browser.execute_script(
                "document.querySelectorAll('details').forEach(d => d.open = true)")
            for section in self.all("section"):
                self.grow(section) if self.all(".under", section) else None
            counts[name] = self.browser.execute_script(
                "const counts = {}; for (const e of document.querySelectorAll(':not(text, tspan, wbr)'))"
                "counts[e.tagName] = (counts[e.tagName] || 0) + 1; return counts")
            self.assertIsNone(self.browser.execute_script("return window.attacked"))
            self.assertEqual(self.browser.get_log("browser"), [])
        self.assertEqual(counts["plain"], counts["attack"])
        self.assertEqual(counts["attack"]["SCRIPT"], 2)

    def test_hidden_characters_are_spelled_out(self):
        self.open("attack")
        self.grow(self.find("#p1"))
        shown = self.find("#p1 tbody").get_attribute("textContent")
        self.assertIn("‹U+202E›gnp.exe", shown)
        self.assertIn("a‹NUL›b", shown)
        self.assertIsNone(re.search("[\u202a-\u202e\u2066-\u2069]", shown))


if __name__ == "__main__":
    unittest.main()
