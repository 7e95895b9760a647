// Named formats whose rows are patterns, against RE2 with the same pattern as a regular expression,
// through the reader that --regex uses: nanoseconds for each record, all in the cache, one thread.
//
//   cmake --build build/release --target named_patterns && build/release/tests/bench/named_patterns
//
// The text is the sample of tests/data/formats, again and again. A value of an expression is as
// tight as its type: times are those of the sample, with \d for each digit. "first" wants the first
// field of the pattern, "all" all of them. Lines that the expression does not match, such as those
// of stack traces, are left out of the text.
#include "fields/inner/named_formats.h"
#include "fields/pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace {

using namespace mrc;
using std::string;

constexpr size_t kTextBytes = 400000;
constexpr int kRounds = 7;

string sample_of(const std::filesystem::path &file) {
  std::stringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

string escaped(Bytes literal) {
  string regex;
  for (char c : literal) {
    if (c == ' ')
      regex += "[ \\t]+";
    else if (std::isalnum(static_cast<u8>(c)) != 0)
      regex += c;
    else
      regex += string("\\") + c;
  }
  return regex;
}

// Of the values of a time field: what they have in common.
string shapes_of(const std::set<string> &times) {
  std::set<string> shapes;
  for (const string &time : times) {
    string shape;
    for (char c : time) {
      const bool digit = c >= '0' && c <= '9', letter = std::isalpha(static_cast<u8>(c)) != 0;
      shape += digit ? "\\d" : letter ? "[A-Za-z]" : escaped({&c, 1});
    }
    shapes.insert(shape);
  }
  return fmt::format("(?:{})", fmt::join(shapes, "|"));
}

using TimesOf = std::vector<std::set<string>>;  // by field

string regex_of(const PatternStep &step, const TimesOf &times) {
  switch (step.type) {
    case ValueType::text: return ".*?";
    case ValueType::rest: return ".*";
    case ValueType::name: return "[A-Za-z][\\w.-]*";
    case ValueType::class_name: return "[\\w.$]+";
    case ValueType::letter: return "[A-Za-z]";
    case ValueType::sign: return "[^\\w\\s]";
    case ValueType::integer: return "[-+]?\\d+|-";
    case ValueType::number: return "[-+]?[\\d.eE+-]+";
    case ValueType::hex: return "[0-9a-fA-Fx]+|-";
    case ValueType::ip: return "[0-9a-fA-F.:]+|-";
    case ValueType::level: return "\\w+";
    case ValueType::time:
      if (step.field >= 0 && !times[static_cast<size_t>(step.field)].empty()) {
        return shapes_of(times[static_cast<size_t>(step.field)]);
      }
      return "\\S+";
    default: return "\\S+?";
  }
}

// The steps [at, end) of an alternative. Each name is used once, as RE2 wants it.
string regex_of(const Pattern &pattern, const PatternAlternative &way, size_t at, size_t end,
                const TimesOf &times, std::set<int> *used) {
  string regex;
  while (at < end) {
    const PatternStep &step = way.steps[at];
    const size_t next = step.is_part() ? static_cast<size_t>(step.skip) : at + 1;
    string inner =
        step.is_part() ? regex_of(pattern, way, at + 1, next, times, used) : regex_of(step, times);
    string before, after;
    if (step.kind == PatternStep::Kind::value && step.type == ValueType::quoted) {
      before = "\"", inner = "[^\"]*", after = "\"";
    } else if (step.kind == PatternStep::Kind::value && step.type == ValueType::bracketed) {
      before = "\\[", inner = "[^\\]]*", after = "\\]";
    }
    const bool named = step.field >= 0 && used->insert(step.field).second;
    if (step.kind == PatternStep::Kind::literal) {
      regex += escaped(step.literal);
    } else {
      const string open = named ? fmt::format("(?P<f{}>", step.field) : "(?:";
      regex += before + open + inner + ")" + after;
      if (step.kind == PatternStep::Kind::optional) regex += "?";
    }
    at = next;
  }
  return regex;
}

string regex_of(const Pattern &pattern, const TimesOf &times) {
  std::set<int> used;
  std::vector<string> ways;
  for (const PatternAlternative &way : pattern.alternatives) {
    ways.push_back(regex_of(pattern, way, 0, way.steps.size(), times, &used));
  }
  return fmt::format("^(?:{})[ \\t\\r]*$", fmt::join(ways, "|"));
}

// Reads all; returns the number of records. Adds what the fields are to the values of each.
i64 read(const RecordReader &reader, Bytes text, std::vector<std::set<string>> *values) {
  const Chunk chunk{text, 0, 1};
  const auto batch = std::make_unique<RecordBatch>();
  i64 records = 0;
  for (const char *next = text.data(), *end = next + text.size(); next < end;) {
    batch->clear();
    reader.read(chunk, &next, batch.get());
    records += batch->size;
    for (size_t field = 0; values != nullptr && field < batch->fields.size(); ++field) {
      for (i64 row = 0; row < batch->size; ++row) {
        const Bytes value = batch->fields[field][static_cast<size_t>(row)];
        if (!value.empty()) (*values)[field].insert(string(value));
      }
    }
  }
  return records;
}

double ns_per_record(const RecordReader &reader, Bytes text) {
  const auto begin = std::chrono::steady_clock::now();
  const i64 records = read(reader, text, nullptr);
  const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
  return took.count() / static_cast<double>(std::max<i64>(records, 1));
}

double median(std::vector<double> all) {
  std::ranges::nth_element(all, all.begin() + std::ssize(all) / 2);
  return all[all.size() / 2];
}

std::vector<FieldName> names(const std::vector<string> &fields) {
  std::vector<FieldName> named;
  for (const string &field : fields) named.push_back({field, -1});
  return named;
}

std::unique_ptr<RecordReader> reader_of(const FormatSpec &spec, Bytes head,
                                        const std::vector<FieldName> &wanted) {
  Result<Dialect> dialect = sniff(spec, head, true);
  if (!dialect.is_ok()) return nullptr;
  dialect->joins_lines = false;
  dialect->header = false;
  Result<std::unique_ptr<RecordReader>> reader = make_reader(*dialect, wanted);
  return reader.is_ok() ? std::move(*reader) : nullptr;
}

// The lines of a sample that both readers take.
string lines_of_both(const RecordReader &ours, const RecordReader &regex, const string &sample) {
  string lines;
  std::istringstream text(sample);
  for (string line; std::getline(text, line);) {
    const string padded = line + "\n" + string(kPadding, '\0');
    const Bytes one(padded.data(), line.size() + 1);
    if (read(ours, one, nullptr) == 1 && read(regex, one, nullptr) == 1) lines += line + "\n";
  }
  return lines;
}

void compare(const LineFormat &format, const string &file, const string &sample) {
  const Pattern pattern = *Pattern::compile(format.row->rule);
  TimesOf times(pattern.fields.size());
  const std::vector<FieldName> all = names(pattern.fields);
  const FormatSpec ours{.format = &format};
  const auto reads_all = reader_of(ours, sample, all);
  read(*reads_all, sample, &times);
  FormatSpec theirs{.format = &LineFormat::regex, .regex = regex_of(pattern, times)};
  std::vector<FieldName> theirs_all;
  for (size_t i = 0; i < all.size(); ++i) theirs_all.push_back({fmt::format("f{}", i), -1});
  const auto regex_all = reader_of(theirs, sample, theirs_all);
  if (regex_all == nullptr) return fmt::print("{:24} no expression: {}\n", file, theirs.regex);
  const string lines = lines_of_both(*reads_all, *regex_all, sample);
  if (lines.empty()) return fmt::print("{:24} no line: {}\n", file, theirs.regex);
  string text;
  while (text.size() < kTextBytes) text += lines;
  const size_t size = text.size();
  text.append(kPadding, '\0');
  const Bytes shown(text.data(), size);
  fmt::print("{:24}", file);
  for (const size_t wanted : {size_t{1}, all.size()}) {
    const auto mine =
        reader_of(ours, sample, {all.begin(), all.begin() + static_cast<i64>(wanted)});
    const auto other = reader_of(
        theirs, sample, {theirs_all.begin(), theirs_all.begin() + static_cast<i64>(wanted)});
    std::vector<double> mine_ns, other_ns;
    for (int round = 0; round < kRounds; ++round) {
      mine_ns.push_back(ns_per_record(*mine, shown));
      other_ns.push_back(ns_per_record(*other, shown));
    }
    const double a = median(mine_ns), b = median(other_ns);
    fmt::print(" {:8.1f} {:8.1f} {:6.1f}", a, b, b / a);
  }
  fmt::print("\n");
}

}  // namespace

int main() {
  fmt::print("{:24} {:>8} {:>8} {:>6} {:>8} {:>8} {:>6}\n", "ns/record", "first", "RE2", "ratio",
             "all", "RE2", "ratio");
  std::set<std::filesystem::path> files;
  for (const auto &entry :
       std::filesystem::directory_iterator(MRC_SOURCE_DIR "/tests/data/formats")) {
    files.insert(entry.path());
  }
  for (const auto &path : files) {
    const string file = path.filename(), name = file.substr(0, file.find('.'));
    for (const LineFormat &format : named_formats()) {
      if (format.name == name && format.row->kind == &kPatternKind) {
        compare(format, file, sample_of(path) + "\n");
      }
    }
  }
}
