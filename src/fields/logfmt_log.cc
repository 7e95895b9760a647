// Logfmt of logs: the time or the level has another label, or the time precedes all pairs.
#include "fields/inner/log_members.h"
#include "fields/inner/logfmt.h"
#include "fields/timestamp.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

// Scans pairs after a time, which is the first pair.
class TimedScanner {
 public:
  explicit TimedScanner(Bytes line) : TimedScanner(line, time_of(line)) {}

  MRC_INLINE bool next(LabelledPair *pair) {
    if (time_.empty()) return pairs_.next(pair);
    *pair = {"time", time_, true, false};
    time_ = {};
    return true;
  }
  const char *error() const { return pairs_.error(); }
  static Bytes meaning(Bytes value, Arena *arena) { return unescape(value, arena); }

  // Returns the time with which the line begins, in brackets or not.
  static Bytes time_of(Bytes line) {
    line.remove_prefix(line.starts_with('['));
    return line.substr(0, static_cast<size_t>(find_timestamp(line).size));
  }

 private:
  TimedScanner(Bytes line, Bytes time) : time_(time), pairs_(rest_of(line, time)) {}

  static Bytes rest_of(Bytes line, Bytes time) {
    if (time.empty()) return line;
    line.remove_prefix(static_cast<size_t>(time.data() + time.size() - line.data()));
    return line.substr(std::min(line.find_first_not_of("]:,; \t"), line.size()));
  }

  Bytes time_;
  LogfmtScanner pairs_;
};

// Returns the labels of a line that has pairs right after a time; empty for other lines.
std::vector<std::string> timed_labels(Bytes line) {
  if (TimedScanner::time_of(line).empty()) return {};
  std::vector<std::string> labels;
  TimedScanner scanner(line);
  LabelledPair pair;
  i64 others = 0;
  while (scanner.next(&pair)) {
    const bool named = pair.has_value && is_label(pair.label);
    if (!named && labels.size() < 2) return {};
    others += !named;
    if (named) labels.emplace_back(pair.label);
  }
  const bool alike = scanner.error() == nullptr && labels.size() >= 2;
  return alike && others <= std::ssize(labels) ? labels : std::vector<std::string>();
}

constexpr const char *kTimed = "time= ";  // in Dialect::pattern: the time has no label

// Recognizes logfmt with a time before its pairs.
std::optional<Dialect> recognize_timed(const InputHead &input, const std::vector<Bytes> &records) {
  std::optional<Dialect> dialect =
      recognize_as_labels<timed_labels>(LineFormat::logfmt, input, records);
  if (dialect) dialect->pattern = kTimed;
  return dialect;
}

// Recognizes logfmt of any log: its time or its level has another label, or the time precedes all
// pairs. Dialect::pattern has the other names as "name=label".
std::optional<Dialect> recognize_logfmt_log(const LineFormat &format, const InputHead &input,
                                            const std::vector<Bytes> &records) {
  std::optional<Dialect> dialect = recognize_timed(input, records);
  if (!dialect) {
    dialect = recognize_logfmt(input, records);
    if (!dialect || !has_log_members(*dialect, *format.row, input)) return std::nullopt;
  }
  dialect->format = &format;
  const Labels labels = dialect->names;
  const auto has = [](const Labels &names, const std::string &name) {
    return std::ranges::find(names, name) != names.end();
  };
  Labels others;
  for (const JsonAlias &alias : aliases_of(*format.row)) {
    if (has(labels, alias.name) || has(others, alias.name) || !has(labels, alias.path)) continue;
    others.push_back(alias.name);
    dialect->pattern += fmt::format("{}={} ", alias.name, alias.path);
  }
  dialect->names.insert(dialect->names.begin(), others.begin(), others.end());
  return dialect;
}

Status complete_logfmt_log(const InputHead &input, Dialect *dialect) {
  const LineFormat &format = *dialect->format;
  std::optional<Dialect> found = recognize_logfmt_log(format, input, first_lines(input));
  if (!found) return complete_logfmt(input, dialect);
  *dialect = std::move(*found);
  return Status::ok();
}

Result<std::unique_ptr<RecordReader>> make_logfmt_log_reader(const Dialect &dialect,
                                                             std::span<const FieldName> wanted) {
  std::vector<FieldName> named(wanted.begin(), wanted.end());
  for (const std::string &word : words_in(dialect.pattern)) {
    const size_t sign = word.find('=');
    if (sign + 1 == word.size()) continue;  // entry of kTimed
    for (FieldName &field : named) {
      if (field.number == -1 && field.text == word.substr(0, sign)) {
        field.text = word.substr(sign + 1);
      }
    }
  }
  if (Bytes(dialect.pattern).starts_with(kTimed)) {
    return make_labelled_reader<TimedScanner>(dialect, named);
  }
  return make_logfmt_reader(dialect, named);
}

}  // namespace

constinit const NamedKind kLogfmtLogKind = {make_logfmt_log_reader, complete_logfmt_log,
                                            recognize_logfmt_log};

}  // namespace mrc
