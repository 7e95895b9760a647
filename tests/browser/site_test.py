#!/usr/bin/python3
"""Makes the manual a site, opens it in headless Chromium, and searches in it as a person does.

Exits with 0 and a message if Chromium, its driver, or Selenium is missing.
"""
import json
import pathlib
import subprocess
import tempfile
import unittest

from browser import CONTRAST, NAMELESS, BrowserTest, start_browser
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

ROOT = pathlib.Path(__file__).resolve().parents[2]


class SiteTest(BrowserTest):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        subprocess.run([ROOT / "cmd/site/make-site", cls.folder.name], check=True)
        cls.names = sorted(path.stem for path in pathlib.Path(cls.folder.name).glob("*.html"))
        cls.browser = start_browser()

    def search(self, text):
        """Types after a slash; returns the titles and pages of what is found."""
        ActionChains(self.browser).send_keys("/").perform()
        ActionChains(self.browser).send_keys(text).perform()
        WebDriverWait(self.browser, 10).until(lambda _: self.find("#site-found").is_displayed())
        return [link.text.split("\n")[0] for link in self.all("#site-found a")]

    def arrived_at(self, place):
        WebDriverWait(self.browser, 10).until(lambda browser: browser.current_url.endswith(place))

    # --- Pages ---

    def test_links_and_anchors_resolve(self):
        done = subprocess.run([ROOT / "tests/lint/links.py", self.folder.name], check=False,
                              capture_output=True, text=True)
        self.assertEqual((done.stdout, done.returncode), ("", 0))

    def test_pages_load_only_the_site_and_fit_into_the_window(self):
        site = pathlib.Path(self.folder.name).as_uri()
        for name in self.names:
            self.open(name)
            self.find("search input").send_keys("sort")
            for width in (375, 768, 1440):
                self.resize(width)
                self.assertLessEqual(self.browser.execute_script(
                    "return document.documentElement.scrollWidth"), width, name)
            self.assertEqual(self.browser.get_log("browser"), [])
            events = [json.loads(entry["message"])["message"]
                      for entry in self.browser.get_log("performance")]
            urls = {event["params"]["request"]["url"] for event in events
                    if event["method"] == "Network.requestWillBeSent"}
            self.assertIn(site + "/search-index.js", urls)
            self.assertEqual({u for u in urls if not u.startswith(site)} - {"data:,"}, set())

    def test_text_has_contrast_and_controls_have_names(self):
        for scheme in ("light", "dark"):
            self.media(scheme)
            for name in ("index", "mrc.1", "mrc-formats.7"):
                self.open(name)
                self.search("csv")
                checked, bad = self.browser.execute_script(CONTRAST)
                self.assertGreater(checked, 100)
                self.assertEqual(bad, [])
                self.assertEqual(self.browser.execute_script(NAMELESS), [])

    def test_reads_without_scripts(self):
        self.browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", dict(value=True))
        try:
            self.browser.get(self.path("mrc-count.1").as_uri())
            self.assertFalse(self.find("search").is_displayed())
            self.assertTrue(self.find(".contents li a").is_displayed())
            self.click_link("mrc-formats.7.html#FIELD_OPTIONS")
        finally:
            self.browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", dict(value=False))

    def click_link(self, place):
        link = self.find(f'main a[href="{place}"]')
        ActionChains(self.browser).scroll_to_element(link).click(link).perform()
        self.arrived_at(place)

    # --- Search ---

    def test_finds_an_option_by_its_name(self):
        self.open("index")
        self.assertEqual(self.search("--top")[0], "--top N mrc(1)")
        ActionChains(self.browser).send_keys(Keys.ENTER).perform()
        self.arrived_at("/mrc.1.html#top")
        self.assertIn("-k, --key FIELDS mrc-formats(7)", self.search("-k"))

    def test_finds_a_verb_and_text(self):
        self.resize(375)
        self.open("mrc-guide.7")
        self.assertEqual(self.search("join")[0], "mrc-join(1)")
        self.click(self.find("#site-found a"))
        self.arrived_at("/mrc-join.1.html")
        self.assertIn("BAD RECORDS mrc-formats(7)", self.search("malformed strict"))

    def test_moves_by_arrows_and_closes(self):
        self.open("index")
        self.search("sort")
        ActionChains(self.browser).send_keys(Keys.DOWN, Keys.DOWN).perform()
        self.assertEqual(self.browser.switch_to.active_element, self.all("#site-found a")[1])
        ActionChains(self.browser).send_keys(Keys.ESCAPE).perform()
        self.assertFalse(self.find("#site-found").is_displayed())
        self.assertEqual(self.browser.switch_to.active_element, self.find("search input"))

    def test_says_that_nothing_is_found(self):
        self.open("index")
        self.assertEqual(self.search("<b>xyzzy"), [])
        self.assertEqual(self.find("#site-found p").text, "no places")


if __name__ == "__main__":
    unittest.main(verbosity=1)
