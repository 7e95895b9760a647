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
#include "fields/inner/logfmt.h"
#include "scan/find_byte.h"

#include <algorithm>

namespace mrc {

bool is_label(Bytes text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return is_digit(c) || is_letter(c) || c == '_' || c == '-' || c == '.' || c == '@';
  });
}

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

template <const LineFormat &kFormat, Labels (*kLabelsOf)(Bytes)>
std::optional<Dialect> recognize_labels(const InputHead &input, const std::vector<Bytes> &records) {
  return recognize_as_labels<kLabelsOf>(kFormat, input, records);
}

}  // namespace

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
  std::optional<Dialect> commas = recognize_labels<LineFormat::logfmt, dkvp_labels>(input, records);
  if (!commas) return recognize_labels<LineFormat::logfmt, logfmt_labels>(input, records);
  commas->delimiter = ',';
  return commas;
}

constinit const LineFormat LineFormat::logfmt = {
    .name = "logfmt",
    .make_reader = make_logfmt_reader,
    .complete = complete_logfmt,
    .recognize = recognize_logfmt,
};

constinit const LineFormat LineFormat::ltsv = {
    .name = "ltsv",
    .make_reader = make_labelled_reader<LtsvScanner>,
    .complete = complete_labels<ltsv_labels>,
    .recognize = recognize_labels<LineFormat::ltsv, ltsv_labels>,
};

}  // namespace mrc
