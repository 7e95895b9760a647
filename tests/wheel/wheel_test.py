"""Tests the module mrc where it is installed; tests/wheel/run runs it."""
import base64
import doctest
import hashlib
import importlib.metadata
import importlib.util
import io
import os
import pathlib
import re
import signal
import sys
import tempfile
import time
import unittest
import unittest.mock
from decimal import Decimal

import mrc

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT / "tests/data"
ORDERS = DATA / "orders.csv"
LINES = b"".join(b"%d\n" % i for i in range(1_000_000))


def children():
    """The processes that this one has started, and that have not ended."""
    return pathlib.Path(f"/proc/self/task/{os.getpid()}/children").read_text()


def of_json(text, names):
    return next(mrc.rows(["select", "-f", "json", "-k", names], stdin=text))


class Installed(unittest.TestCase):
    def test_files_are_those_of_the_record(self):
        files = importlib.metadata.files("mrc-mapreduce")
        self.assertTrue(any(file.name == "mrc-licences.txt" for file in files))
        for file in files:
            if file.hash:
                digest = hashlib.new(file.hash.mode, file.read_binary()).digest()
                text = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
                self.assertEqual(text, file.hash.value, file)

    def test_the_program_is_that_of_the_wheel(self):
        self.assertEqual(mrc.program(), os.path.join(os.path.realpath(sys.prefix), "bin/mrc"))


class Answers(unittest.TestCase):
    def test_rows_have_typed_values(self):
        rows = list(mrc.rows("stats -k city -a count,sum:price", ORDERS))
        self.assertEqual(rows, [{"city": "Lima", "count": 1, "sum:price": 11.99},
                                {"city": "Oslo", "count": 2, "sum:price": 19.75},
                                {"city": "Rome", "count": 2, "sum:price": 8}])
        self.assertEqual([type(value) for value in rows[2].values()], [str, int, int])
        rows = mrc.rows("count -k city", [ORDERS], tuples=True)
        self.assertEqual(list(rows), [("Lima", 1), ("Oslo", 2), ("Rome", 2)])
        self.assertEqual((rows.status, rows.messages, list(rows)), (0, [], []))

    def test_no_digit_of_a_whole_number_is_lost(self):
        for text in "9007199254740993", "-12345678901234567890123", "0":
            value = of_json('{"x":%s}' % text, "x")["x"]
            self.assertEqual((type(value), str(value)), (int, text))
        for text in "9007199254740993.0", "9007199254740993.5", "1" * 5000:
            self.assertEqual(of_json('{"x":%s}' % text, "x")["x"], Decimal(text))
        self.assertEqual(of_json('{"x":1.50,"y":1e-3}', "x,y"), {"x": 1.5, "y": 0.001})
        text = "1e99999999999999999999"  # which no type of Python has
        self.assertEqual(of_json('{"x":%s}' % text, "x")["x"], text)
        total = next(mrc.rows("stats -f fields -a sum:1", stdin="9007199254740993\n" * 3))
        self.assertEqual(total, {"sum:1": 3 * 9007199254740993})

    def test_other_values(self):
        text = '{"a":true,"b":null,"c":[1,{"d":2}],"e":"\\ud83d\\ude00\\n"}'
        self.assertEqual(of_json(text, "a,b,c,e"),
                         {"a": True, "b": None, "c": [1, {"d": 2}], "e": "\U0001f600\n"})
        row = next(mrc.rows("count", stdin=b"caf\xe9\n"))
        self.assertEqual(row, {"line": b"caf\xe9", "count": 1})
        self.assertEqual(of_json('{"a":{"bytes":"abc"}}', "a"), {"a": {"bytes": "abc"}})

    def test_text_is_lines(self):
        self.assertEqual(list(mrc.rows("sort", stdin="b\na")), ["a", "b"])
        lines = list(mrc.lines("count -k city", ORDERS))
        self.assertEqual(lines, ["Lima\t1", "Oslo\t2", "Rome\t2"])
        self.assertEqual(list(mrc.rows("grep x", stdin=b"x\xe9\r\n\x0c\nyx")), ["x\udce9\r", "yx"])
        self.assertEqual(next(mrc.rows("grep --json x", stdin="x"))["line_number"], 1)

    def test_sorted_records_are_rows(self):
        prices = [row["price"] for row in mrc.rows("sort -k price", ORDERS)]
        self.assertEqual(prices, ["", 7.25, 8, 11.99, 12.5])

    def test_chains_and_names(self):
        found = mrc.rows("grep Oslo then count then select -k count", ORDERS)
        self.assertEqual(list(found), [{"count": 1}, {"count": 1}])
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            for name in "then", "-k", "a b", "$(x)":
                pathlib.Path(name).write_text("x\n")
            self.assertEqual(next(mrc.rows("count", ["then", "-k", "a b", "$(x)"]))["count"], 4)
            self.assertEqual(next(mrc.rows(["count", pathlib.Path("a b")]))["count"], 1)
            self.assertEqual(list(mrc.rows("grep -- -k", stdin="-k\n")), ["-k"])
            os.chdir("/")

    def test_input(self):
        with open(ORDERS, "rb") as file, io.BytesIO(ORDERS.read_bytes()) as memory:
            for source in memory, ORDERS.read_text(), file.fileno():
                self.assertEqual(len(list(mrc.rows("count -k city", stdin=source))), 3)
        self.assertEqual(list(mrc.rows("count")), [])

    def test_a_million_rows(self):
        began = time.monotonic(), time.process_time()
        rows = mrc.rows("count", stdin=LINES)
        self.assertEqual(sum(row["count"] * int(row["line"]) for row in rows), 499999500000)
        wall, cpu = time.monotonic() - began[0], time.process_time() - began[1]
        print(f"check-wheel: a million rows: {wall:.1f} s, {cpu:.1f} s of CPU in Python",
              flush=True)


class Endings(unittest.TestCase):
    def test_errors_are_raised(self):
        for words, status, said in [
                ("cuont", 2, 'no verb "cuont"'), ("count -k nothing", 2, 'no field "nothing"'),
                ("count -w 'x ='", 2, "write == for ="),
                ("count missing", 2, "missing: No such file")]:
            with self.assertRaisesRegex(mrc.Error, said) as caught:
                list(mrc.rows(words, () if "missing" in words else ORDERS))
            self.assertEqual(caught.exception.status, status)
            self.assertFalse(str(caught.exception).startswith("mrc:"))

    def test_warnings(self):
        rows = mrc.rows("count -k city", [ORDERS, "missing"])
        with self.assertWarnsRegex(mrc.PartialWarning, "^missing: No such file") as caught:
            self.assertEqual(len(list(rows)), 3)
        self.assertEqual((rows.status, caught.filename), (3, __file__))
        with self.assertWarnsRegex(mrc.InputWarning, "^1 of 9 records is left out"):
            list(mrc.rows("count -k ip", DATA / "access.log"))

    def test_no_line_is_no_error(self):
        rows = mrc.rows("grep nothing", ORDERS)
        self.assertEqual((list(rows), rows.status), ([], 1))

    def test_a_signal_is_an_error(self):
        rows = mrc.rows("count", ["/dev/zero"])
        os.kill(int(children()), signal.SIGKILL)
        with self.assertRaisesRegex(mrc.Error, "SIGKILL") as caught:
            next(rows)
        self.assertEqual(caught.exception.status, -9)

    def test_half_a_row_is_an_error(self):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder, "mrc")
            program.write_text("""#!/bin/sh
                printf '{"a":1}\\n{"a":'; echo 'mrc: error: no space' >&2; exit 2""")
            program.chmod(0o755)
            with unittest.mock.patch("mrc.program", lambda: str(program)):
                rows = mrc.rows("count")
                self.assertEqual(next(rows), {"a": 1})
                with self.assertRaisesRegex(mrc.Error, "^no space$"):
                    next(rows)

    def test_dropping_ends_the_process(self):
        rows = mrc.rows("count", ["/dev/zero"])
        self.assertNotEqual(children(), "")
        del rows
        self.assertEqual(children(), "")
        for row in mrc.rows("grep 7", stdin=LINES):
            self.assertEqual(row, "7")
            break
        self.assertEqual(children(), "")
        with mrc.rows("count", stdin=LINES) as rows:
            next(rows)
        self.assertEqual((children(), list(rows), rows.status), ("", [], -signal.SIGTERM))

    def test_input_that_fails_is_no_answer(self):
        source = unittest.mock.Mock()
        source.read.side_effect = [b"x\n", OSError("broken")]
        with self.assertRaisesRegex(OSError, "broken"):
            list(mrc.rows("count", stdin=source))


class Tables(unittest.TestCase):
    TEXT = '{"a":1,"b":9007199254740993,"c":"x","d":1.5}\n{"a":2,"b":null,"c":"y","d":2}\n'

    def table(self, module):
        if not importlib.util.find_spec(module):
            self.skipTest(f"no {module}")
        return mrc.table("select -k a,b,c,d", stdin=self.TEXT, to=module)

    def test_pandas(self):
        table = self.table("pandas")
        self.assertEqual([str(kind) for kind in table.dtypes][:2], ["int64", "object"])
        self.assertEqual((table["b"][0], table["d"].sum()), (9007199254740993, 3.5))
        self.assertEqual(mrc.table("count", to="pandas").shape, (0, 0))

    def test_pyarrow(self):
        table = self.table("pyarrow")
        self.assertEqual([str(kind) for kind in table.schema.types],
                         ["int64", "int64", "string", "double"])
        self.assertEqual(table["b"].to_pylist(), [9007199254740993, None])

    def test_neither(self):
        with unittest.mock.patch.dict(sys.modules, {"pandas": None, "pyarrow": None}):
            with self.assertRaisesRegex(ImportError, "needs pandas or pyarrow"):
                mrc.table("count", stdin="x")


class Examples(unittest.TestCase):
    def test_documents_show_what_examples_print(self):
        os.chdir(ROOT)
        for page in "README.md", "man/mrc-guide.7":
            text = re.sub(r"(?m)^(```|\.[A-Z]).*$", "", (ROOT / page).read_text())
            text = text.replace(r"\e", "\\").replace(r"\&", "")  # of mdoc
            test = doctest.DocTestParser().get_doctest(text, {}, page, page, 0)
            self.assertGreater(len(test.examples), 0, page)
            self.assertEqual(doctest.DocTestRunner().run(test).failed, 0)


if __name__ == "__main__":
    unittest.main(verbosity=0)
