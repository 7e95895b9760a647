"""Rows, lines and tables that mrc computes: python3 -c 'import mrc; help(mrc)'

    for row in mrc.rows("stats -k path -a count,p95:bytes", ["access.log"]):
        print(row["path"], row["count"])

The words after "mrc" are a string, which is divided as a shell does, or a list. No shell runs.
Files are names, or one name, and may also be among the words. `stdin` is bytes, a string, a binary
file object, or the number of a file descriptor, which mrc reads itself; by default it is empty.

Values are str, int, float, bool and None, and for JSON dict and list. No digit of the whole part
of a number is lost: a number that is not written as an integer is a float below 2**53, and a
Decimal from there on. Text that is not valid UTF-8 is bytes.

An error raises mrc.Error. Warnings of mrc become warnings of Python: a PartialWarning if some
input could not be read, and an InputWarning for everything else, such as malformed records.
"""

import base64
import contextlib
import functools
import importlib.metadata
import io
import json
import os
import shlex
import shutil
import signal
import subprocess
import tempfile
import threading
import warnings
from decimal import Decimal, InvalidOperation

__all__ = ["Error", "InputWarning", "PartialWarning", "Rows", "lines", "program", "rows", "table"]

# The verbs that print lines, and no rows.
TEXT_VERBS = {"completion", "fields", "grep", "help", "load", "plugins", "serve", "state", "units"}


class Error(Exception):
    """What mrc says of an error. `status` is its exit status, or minus the number of a signal."""

    def __init__(self, message, status):
        super().__init__(message)
        self.status = status


class InputWarning(UserWarning):
    """A warning of mrc, such as that of malformed records."""


class PartialWarning(InputWarning):
    """Some input could not be read, or not to its end: the exit status is 3."""


class Rows:
    """An iterator of rows or lines. Dropping or closing it ends mrc.

    At the end, `status` is the exit status (see EXIT STATUS in mrc(1)), and `messages` is what mrc
    has written to standard error, line by line.
    """

    def __init__(self, command, stdin, read):
        self.status = None
        self.messages = []
        self._failures = []
        self._said = tempfile.TemporaryFile()
        is_copied = not isinstance(stdin, int)
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE if is_copied else stdin, stdout=subprocess.PIPE,
            stderr=self._said)
        if is_copied:
            arguments = (stdin, self._process, self._failures)
            threading.Thread(target=_feed, args=arguments, daemon=True).start()
        # It knows the pipe only, and not this object, which therefore goes when it is dropped.
        self._rows = read(self._process.stdout)

    def __iter__(self):
        return self

    def __next__(self):
        for row in self._rows:
            return row
        if self.status is None:
            self._finish()
        raise StopIteration

    def _wait(self):
        self._process.stdout.close()
        self.status = self._process.wait()
        with self._said as said:
            said.seek(0)
            self.messages = said.read().decode(errors="replace").splitlines()

    def _finish(self):
        self._wait()
        if self._failures:
            raise self._failures[0]
        if self.status not in (0, 1, 3):
            raise Error(self._message(), self.status)
        category = PartialWarning if self.status == 3 else InputWarning
        for message in self.messages:
            if not message.startswith("mrc: info: "):
                text = message.removeprefix("mrc: error: ").removeprefix("mrc: warning: ")
                warnings.warn(text, category, stacklevel=3)

    def _message(self):
        if self.status < 0:
            return f"mrc was ended by {signal.Signals(-self.status).name}"
        errors = [message.removeprefix("mrc: error: ") for message in self.messages
                  if message.startswith("mrc: error: ")]
        return "\n".join(errors or self.messages)

    def close(self):
        """Ends mrc, unless it has ended."""
        if self.status is None:
            self._process.terminate()
            self._wait()
        self._rows = iter(())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        if hasattr(self, "_rows"):
            self.close()


def _feed(source, process, failures):
    try:
        shutil.copyfileobj(source, process.stdin, 1 << 20)
    except BrokenPipeError:
        pass  # mrc needs no more
    except Exception as error:  # without the rest of its input, an answer would be wrong
        failures.append(error)
        process.kill()
    with contextlib.suppress(BrokenPipeError):
        process.stdin.close()


def _blocks(pipe):
    """Blocks of whole lines, as soon as mrc has written them, and what follows the last one."""
    parts = []
    while block := pipe.read1(1 << 18):
        whole, newline, rest = block.rpartition(b"\n")
        if newline:
            yield b"".join([*parts, whole, newline])
            parts = []
        parts.append(rest)
    yield b"".join(parts)


def _read_lines(pipe):
    for block in _blocks(pipe):
        text = block.decode(errors="surrogateescape")
        yield from text.removesuffix("\n").split("\n") if text else ()


def _integer(text):
    return int(text) if len(text) < 4300 else Decimal(text)  # int() refuses longer ones


def _fraction(text):
    number = float(text)
    if abs(number) < 2**53:
        return number
    try:
        return Decimal(text)
    except InvalidOperation:
        return text  # its exponent has more than 18 digits


def _bytes_of(value):
    """The bytes for {"bytes": BASE64}, which mrc writes for text that is not UTF-8."""
    if not isinstance(value, dict) or list(value) != ["bytes"]:
        return value
    try:
        data = base64.b64decode(value["bytes"], validate=True)
        data.decode()
    except UnicodeDecodeError:
        return data
    except (TypeError, ValueError):
        pass
    return value


_decoder = json.JSONDecoder(parse_int=_integer, parse_float=_fraction)


def _read_rows(pipe):
    for block in _blocks(pipe):
        if not block.endswith(b"\n"):
            return  # if there is half a row, mrc has ended with an error
        text = block[:-1].decode(errors="surrogateescape")
        found = _decoder.decode("[" + text.replace("\n", ",") + "]")
        if '{"bytes":"' in text:
            found = [{name: _bytes_of(value) for name, value in row.items()} for row in found]
        yield from found


def _read_tuples(pipe):
    return (tuple(row.values()) for row in _read_rows(pipe))


@functools.cache
def program():
    """The path of the mrc that runs: that of this package, or else the one on PATH."""
    places = [os.path.join(os.path.dirname(__file__), "bin/mrc")]  # by pip install --target
    try:
        files = importlib.metadata.files("mrc-mapreduce") or ()
        places += [file.locate() for file in files if file.parts[-2:] == ("bin", "mrc")]
    except importlib.metadata.PackageNotFoundError:
        pass
    found = next(filter(os.path.isfile, places), None) or shutil.which("mrc")
    if found is None:
        raise FileNotFoundError("there is no mrc on PATH")
    return os.path.realpath(found)


def _split(words):
    return shlex.split(words) if isinstance(words, str) else [os.fspath(word) for word in words]


def _names(files):
    """Names of files, which mrc takes for nothing else."""
    for file in [files] if isinstance(files, (str, os.PathLike)) else files:
        name = os.fspath(file)
        yield "./" + name if name == "then" or name[:1] == "-" != name else name


def _thens(words):
    """Where the verbs of a chain end. A word after "--" is no end, and neither is the last one."""
    end = words.index("--") if "--" in words else len(words)
    return [i for i in range(1, end - 1) if words[i] == "then"]


def _source(stdin):
    """A file object, or the number of a descriptor."""
    if stdin is None:
        return subprocess.DEVNULL
    data = stdin.encode() if isinstance(stdin, str) else stdin
    return io.BytesIO(data) if isinstance(data, (bytes, bytearray, memoryview)) else data


def _start(words, files, stdin, read):
    first, *_ = [*_thens(words), len(words)]
    command = [program(), *words[:first], *_names(files), *words[first:]]
    return Rows(command, _source(stdin), read)


def _with_json(words):
    """The words of a job that prints JSON, or None for one that prints text."""
    end = words.index("--") if "--" in words else len(words)
    verb, *options = words[max(_thens(words), default=-1) + 1:end] or [""]
    to_json = ["--to", "json"]
    if verb == "sort":
        to_json = ["then", "select", *to_json]
        is_text = not any(option.startswith(("-k", "--key")) for option in options)
    else:
        is_text = verb in TEXT_VERBS and "--json" not in options
    return None if is_text else words[:end] + to_json + words[end:]


def lines(words, files=(), *, stdin=None):
    """The lines that a job prints, such as those of grep and sort, without their ends."""
    return _start(_split(words), files, stdin, _read_lines)


def rows(words, files=(), *, stdin=None, tuples=False):
    """The rows of a job: dicts by the names of columns, or tuples of values.

    grep and other verbs that print text give lines, and so does sort without -k.
    """
    json_words = _with_json(_split(words))
    if json_words is None:
        return lines(words, files, stdin=stdin)
    return _start(json_words, files, stdin, _read_tuples if tuples else _read_rows)


def _pandas(columns):
    import pandas

    def column(values):
        # In a column with other values, pandas would make floats of integers.
        whole = [value for value in values if type(value) is int]
        mixed = len(whole) < len(values) and any(abs(value) > 2**53 for value in whole)
        return pandas.Series(values, dtype=object if mixed or not values else None)

    return pandas.DataFrame({name: column(values) for name, values in columns.items()})


def _pyarrow(columns):
    import pyarrow

    def column(values):
        try:
            return pyarrow.array(values)
        except (pyarrow.ArrowException, OverflowError):  # values of several types, or large ones
            return pyarrow.array([None if value is None else str(value) for value in values])

    return pyarrow.table({name: column(values) for name, values in columns.items()})


def table(words, files=(), *, stdin=None, to=None):
    """All rows of a job as a table of pandas, or of pyarrow if there is no pandas.

    `to` is "pandas" or "pyarrow". Without rows, the table has no columns. Lines are the column
    "line". In pyarrow, a column of values that Arrow has no type for is text.
    """
    makers = {"pandas": _pandas, "pyarrow": _pyarrow}
    found = list(rows(words, files, stdin=stdin))
    if found and isinstance(found[0], str):
        found = [{"line": line} for line in found]
    columns = {name: [row[name] for row in found] for name in (found[0] if found else ())}
    for name in makers if to is None else [to]:
        try:
            return makers[name](columns)
        except ImportError as error:
            missing = error
    raise ImportError("mrc.table() needs pandas or pyarrow") from missing
