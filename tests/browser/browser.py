"""A browser for tests of the report page: starts Chromium, opens documents, finds and clicks.

Ends the program with 0 and a message if Chromium, its driver, or Selenium is missing.
"""
import pathlib
import shutil
import sys
import tempfile
import unittest

import sample_report

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.by import By
except ImportError:
    sys.exit(print("page_test: skipped: python3-selenium is not installed"))

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
if not CHROMIUM or not DRIVER:
    sys.exit(print("page_test: skipped: chromium or chromedriver is not installed"))

TABLE = """return [...arguments[0].querySelectorAll('tbody tr')].map(row =>
  [...row.children].map(cell => [cell.textContent, cell.title]));"""

NAMELESS = """return [...document.querySelectorAll('button, a, input, select, [tabindex="0"]')]
  .filter(e => !(e.textContent.trim() || e.getAttribute('aria-label')))
  .map(e => e.outerHTML.slice(0, 100));"""

# The smallest contrast of text with any color below it, bars of rows included.
CONTRAST = """
const parse = text => (text.match(/[\\d.]+/g) || [0, 0, 0, 0]).map(Number);
const luminance = rgb => rgb.slice(0, 3).map(v => v / 255)
  .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
  .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
const ratio = (a, b) => {
  const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p);
  return (x + 0.05) / (y + 0.05);
};
const opaque = color => color.length < 4 || color[3] > 0.99;
function below(element) {
  for (let e = element; e; e = e.parentElement) {
    const color = parse(getComputedStyle(e).backgroundColor);
    if (color[3] !== 0 && opaque(color)) return color;
  }
}
const bad = [];
let checked = 0;
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const element = walker.currentNode.parentElement;
  if (!walker.currentNode.data.trim() || !element.getClientRects().length) continue;
  if (element.closest('script, .hidden-text, .heat tbody td, :disabled')) continue;
  const style = getComputedStyle(element);
  const color = parse(element.namespaceURI.endsWith('svg') ? style.fill : style.color);
  const grounds = [below(element)];
  if (element.closest('.bar')) {
    grounds.push(parse(getComputedStyle(element.closest('.bar')).backgroundImage));
  }
  checked++;
  for (const ground of grounds) {
    if (ratio(color, ground) < 4.5) {
      bad.push([walker.currentNode.data.slice(0, 30), ratio(color, ground)]);
    }
  }
}
return [checked, bad.slice(0, 10)];
"""


def start_browser():
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(service=Service(DRIVER), options=options)


class BrowserTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.documents = {name: sample_report.document(name) for name in sample_report.DOCUMENTS}
        for name, document in cls.documents.items():
            cls.path(name).write_text(sample_report.assemble(document))
        cls.browser = start_browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()
        cls.folder.cleanup()

    @classmethod
    def path(cls, name):
        return pathlib.Path(cls.folder.name) / (name + ".html")

    def setUp(self):
        self.resize(1440)
        self.media("light")

    # --- Helpers ---

    def open(self, name):
        self.browser.get_log("browser")
        self.browser.get_log("performance")
        self.browser.get(self.path(name).as_uri())
        self.settle()

    def settle(self):
        self.browser.execute_async_script(
            "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() =>"
            "requestAnimationFrame(() => done())));")

    def resize(self, width, height=900):
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", dict(
            width=width, height=height, deviceScaleFactor=1, mobile=False))

    def media(self, scheme, kind="screen"):
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", dict(
            media=kind, features=[dict(name="prefers-color-scheme", value=scheme)]))

    def find(self, selector, parent=None):
        return (parent or self.browser).find_element(By.CSS_SELECTOR, selector)

    def all(self, selector, parent=None):
        return (parent or self.browser).find_elements(By.CSS_SELECTOR, selector)

    def section(self, document, name):
        index = next(i for i, p in enumerate(document["panels"]) if p["name"] == name)
        return self.find("#p%d" % index), document["panels"][index]

    def click(self, element):
        self.browser.execute_script(
            "arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", element)
        ActionChains(self.browser).move_to_element(element).click().perform()

    def button(self, text, parent=None):
        return next(b for b in self.all("button", parent) if b.text.strip() == text)

    def grow(self, section):
        for _ in range(9):
            more = self.find(".under button", section)
            if not more.is_displayed():
                return
            self.click(more)

    def keys_of(self, section):
        return [row[0][0] for row in self.browser.execute_script(TABLE, section)]

    def clipboard(self):
        self.browser.execute_cdp_cmd("Browser.grantPermissions", dict(
            permissions=["clipboardReadWrite", "clipboardSanitizedWrite"]))
        return self.browser.execute_async_script(
            "navigator.clipboard.readText().then(arguments[0], e => arguments[0]('' + e))")
