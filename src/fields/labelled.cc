// Records whose fields carry their labels: logfmt and LTSV.
//
// logfmt   level=info msg="took \"long\"" ms=12 retry
//          level="info", msg="took long", ms=12
//          level=info,ms=12,retry               (DKVP of Miller)
// LTSV     time:28/Feb/2013:12:00:00 +0900<tab>host:192.168.0.1
//
// Fields have names, or numbers by their order in a record. If a label occurs twice, the first
// field counts. Quoted values of logfmt lose quotes and escapes; a bare key has an empty value. A
// comma at the end of a value separates it from the next one.
//
// Each format is a scanner that takes one pair at a time from the front of the line. The cost of a
// record depends on its number of pairs, not on how many are wanted.
#include "fields/inner/labelled.h"

#include "base/text.h"
#include "kinds/timestamp.h"
#include "scan/vector.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

// Scans key=value between commas. Values may contain blanks, but no commas.
class DkvpScanner {
 public:
  explicit DkvpScanner(Bytes line) : at_(line.data()), end_(line.data() + line.size()) {}

  MRC_INLINE bool next(LabelledPair *pair) {
    if (at_ >= end_) return false;
    const char *stop = find_byte(at_, end_, ','), *sign = find_byte(at_, stop, '=');
    const bool has_value = sign != stop;
    *pair = {Bytes(at_, sign), Bytes(has_value ? sign + 1 : stop, stop), has_value, false};
    at_ = stop + 1;
    return true;
  }
  static const char *error() { return nullptr; }
  static Bytes meaning(Bytes value, Arena *) { return value; }

 private:
  const char *at_;
  const char *end_;
};

// Scans label:value between tabs.
class LtsvScanner {
 public:
  explicit LtsvScanner(Bytes line) : at_(line.data()), end_(line.data() + line.size()) {}

  MRC_INLINE bool next(LabelledPair *pair) {
    while (at_ < end_ && *at_ == '\t') ++at_;
    if (at_ == end_) return false;
    const char *stop = find_byte(at_, end_, '\t'), *colon = find_byte(at_, stop, ':');
    if (colon == stop || colon == at_) {
      error_ = "expected label:value between tabs";
      return false;
    }
    *pair = {Bytes(at_, colon), Bytes(colon + 1, stop), true, false};
    at_ = stop;
    return true;
  }
  const char *error() const { return error_; }
  static Bytes meaning(Bytes value, Arena *) { return value; }

 private:
  const char *at_;
  const char *end_;
  const char *error_ = nullptr;
};

// Returns the labels of a line, in order; empty if the line does not look like the format. A line
// of logfmt has at least two pairs and few other words.
std::vector<std::string> logfmt_labels(Bytes line) {
  std::vector<std::string> labels;
  LogfmtScanner scanner(line);
  LabelledPair pair;
  i64 others = 0;
  while (scanner.next(&pair)) {
    const bool named = pair.has_value && is_label(pair.label);
    others += !named;
    if (named) labels.emplace_back(pair.label);
  }
  const bool alike =
      scanner.error() == nullptr && labels.size() >= 2 && others <= std::ssize(labels);
  return alike ? labels : std::vector<std::string>();
}

// All parts have to be pairs, because other text has commas as well.
std::vector<std::string> dkvp_labels(Bytes line) {
  std::vector<std::string> labels;
  DkvpScanner scanner(line);
  LabelledPair pair;
  while (scanner.next(&pair)) {
    if (!pair.has_value || pair.label.empty() || !is_label(pair.label)) return {};
    labels.emplace_back(pair.label);
  }
  return labels.size() < 2 ? std::vector<std::string>() : labels;
}

std::vector<std::string> ltsv_labels(Bytes line) {
  std::vector<std::string> labels;
  LtsvScanner scanner(line);
  LabelledPair pair;
  while (scanner.next(&pair)) {
    if (!is_label(pair.label)) return {};
    labels.emplace_back(pair.label);
  }
  if (scanner.error() != nullptr || labels.size() < 2) return {};
  return labels;
}

std::optional<Dialect> recognize_ltsv(const InputHead &input, const std::vector<Bytes> &records) {
  return recognize_labels<ltsv_labels>(LineFormat::ltsv, input, records);
}

// Logfmt of logs: the time or the level has another label, or the time precedes all pairs.

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
    line = without_priority(line);
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
      recognize_labels<timed_labels>(LineFormat::logfmt, input, records);
  if (!dialect) return std::nullopt;
  dialect->pattern = kTimed;
  dialect->names.clear();
  collect_labels<timed_labels>(records, &dialect->names);
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
  const auto has_label = [&](const std::string &label) { return has_name(labels, label); };
  for (const JsonAlias &alias : add_aliases(*format.row, has_label, &dialect->names)) {
    dialect->pattern += fmt::format("{}={} ", alias.name, alias.path);
  }
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
      const bool is_label = !field.path.empty();
      if (field.number == -1 && !is_label && field.text == word.substr(0, sign)) {
        field.text = word.substr(sign + 1);
      }
    }
  }
  if (Bytes(dialect.pattern).starts_with(kTimed)) {
    return make_labelled_reader<TimedScanner>(dialect, named);
  }
  return make_logfmt_reader(dialect, named);
}

std::unique_ptr<FieldFinder> make_logfmt_finder(const Dialect &dialect) {
  return dialect.delimiter ? make_label_finder<DkvpScanner>(dialect)
                           : make_label_finder<LogfmtScanner>(dialect);
}

std::unique_ptr<FieldFinder> make_logfmt_log_finder(const Dialect &dialect) {
  return Bytes(dialect.pattern).starts_with(kTimed) ? make_label_finder<TimedScanner>(dialect)
                                                    : make_logfmt_finder(dialect);
}

}  // namespace

bool is_label(Bytes text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return is_digit(c) || is_letter(c) || c == '_' || c == '-' || c == '.' || c == '@';
  });
}

Result<std::unique_ptr<RecordReader>> make_logfmt_reader(const Dialect &dialect,
                                                         std::span<const FieldName> wanted) {
  return dialect.delimiter ? make_labelled_reader<DkvpScanner>(dialect, wanted)
                           : make_labelled_reader<LogfmtScanner>(dialect, wanted);
}

Status complete_logfmt(const InputHead &input, Dialect *dialect) {
  const std::vector<Bytes> records = first_lines(input);
  Labels names;
  if (collect_labels<dkvp_labels>(records, &names) * 3 < std::ssize(records) * 2 ||
      records.empty()) {
    return complete_labels<logfmt_labels>(input, dialect);
  }
  dialect->delimiter = ',';
  return complete_labels<dkvp_labels>(input, dialect);
}

std::optional<Dialect> recognize_logfmt(const InputHead &input, const std::vector<Bytes> &records) {
  std::optional<Dialect> commas = recognize_labels<dkvp_labels>(LineFormat::logfmt, input, records);
  return commas ? commas : recognize_labels<logfmt_labels>(LineFormat::logfmt, input, records);
}

constinit const LineFormat LineFormat::logfmt = {
    .name = "logfmt",
    .make_reader = make_logfmt_reader,
    .complete = complete_logfmt,
    .recognize = recognize_logfmt,
    .make_finder = make_logfmt_finder,
};

constinit const LineFormat LineFormat::ltsv = {
    .name = "ltsv",
    .make_reader = make_labelled_reader<LtsvScanner>,
    .complete = complete_labels<ltsv_labels>,
    .recognize = recognize_ltsv,
    .make_finder = make_label_finder<LtsvScanner>,
};

constinit const NamedKind kLogfmtLogKind = {
    make_logfmt_log_reader, complete_logfmt_log, recognize_logfmt_log, false, false, true,
    make_logfmt_log_finder};

}  // namespace mrc
