// Records whose fields carry their labels. Formats differ in their Scanner, which takes one pair at
// a time from the front of a line:
//   explicit Scanner(Bytes line)
//   bool next(LabelledPair *pair)         false at the end of the line or at an error()
//   const char *error() const             null, or why the line is not one of its records
//   static Bytes meaning(Bytes, Arena *)  value without its escapes, in the arena
#pragma once

#include "base/name_index.h"
#include "base/text.h"
#include "fields/found_fields.h"
#include "fields/inner/make_line_reader.h"
#include "fields/inner/named_formats.h"
#include "fields/inner/text_form.h"
#include "fields/sampled_kind.h"
#include "kinds/timestamp.h"

#include <algorithm>

namespace mrc {

struct LabelledPair {
  Bytes label;
  Bytes value;       // as written, without quotes
  bool has_value;    // false: a bare key
  bool has_escapes;  // the value has escapes
};

// The columns of the wanted fields.
struct WantedLabels {
  explicit WantedLabels(const std::vector<WantedField> &wanted) {
    for (const WantedField &one : wanted) {
      one.field < 0 ? void(by_label.add(one.name, one.column)) : by_position.push_back(one);
    }
  }

  NameIndex by_label;
  std::vector<WantedField> by_position;  // ascending
};

template <typename Scanner>
struct LabelledParser {
  static constexpr bool kKeepsBlankLines = false;
  WantedLabels wanted;

  const char *parse(Bytes line, FieldRow row, Arena *arena) const {
    Scanner scanner(line);
    LabelledPair pair;
    bool has_values = false;
    auto placed = wanted.by_position.begin();
    for (i64 position = 0; scanner.next(&pair); ++position) {
      has_values |= pair.has_value;
      const i64 column = wanted.by_label.find(pair.label);
      if (column >= 0) put(column, pair, row, arena);
      if (placed == wanted.by_position.end() || placed->field != position) continue;
      put(placed++->column, pair, row, arena);
    }
    if (scanner.error() != nullptr) return scanner.error();
    return has_values ? nullptr : "expected key=value";
  }

  static void put(i64 column, const LabelledPair &pair, FieldRow row, Arena *arena) {
    if (row.columns[static_cast<size_t>(column)][row.index].data() != nullptr) return;
    row.put(column, pair.has_escapes ? Scanner::meaning(pair.value, arena) : pair.value);
  }
};

template <typename Scanner>
Result<std::unique_ptr<RecordReader>> make_labelled_reader(const Dialect &dialect,
                                                           std::span<const FieldName> wanted) {
  return make_line_reader(dialect, wanted, -1, [](const auto &fields) {
    return LabelledParser<Scanner>{WantedLabels(fields)};
  });
}

// Finds the labels that have values: words of a text without values are no fields.
template <typename Scanner>
class LabelFinder : public FieldFinder {
 public:
  void add(Bytes record, u64 position) override {
    Scanner scanner(record);
    LabelledPair pair;
    for (u64 place = 0; scanner.next(&pair); ++place) {
      if (pair.has_value) see(pair, position, place);
    }
  }
  void move_to(FoundFields *found) override {
    for (FoundField &field : fields_) found->add(std::move(field));
  }

 private:
  void see(const LabelledPair &pair, u64 position, u64 place) {
    const Bytes label = pair.label;
    const i64 known = places_.find(label);
    if (known >= 0) {
      FoundField &field = fields_[static_cast<size_t>(known)];
      see_value(pair.value, &field);
      if (position >= field.position) return;
      field.position = position;
      field.place = place;
    } else if (std::ssize(fields_) <= FoundFields::kMost && bytes_ <= FoundFields::kMostBytes) {
      bytes_ += std::ssize(label);
      places_.add(label, std::ssize(fields_));
      fields_.push_back({std::string(label), std::string(label), position, place, true});
      see_value(pair.value, &fields_.back());
    }
  }
  static void see_value(Bytes value, FoundField *field) {
    if (field->has_other || value.empty() || value == "-") return;
    (is_plain_number(value) ? field->has_number : field->has_other) = true;
  }

  std::vector<FoundField> fields_;
  NameIndex places_;
  i64 bytes_ = 0;
};

template <typename Scanner>
std::unique_ptr<FieldFinder> make_label_finder(const Dialect &) {
  return std::make_unique<LabelFinder<Scanner>>();
}

using Labels = std::vector<std::string>;

// Adds labels to `names`, which must be empty. Returns how many records have labels.
template <Labels (*kLabelsOf)(Bytes)>
i64 collect_labels(const std::vector<Bytes> &records, Labels *names) {
  i64 agreeing = 0;
  NameIndex known;
  for (Bytes record : records) {
    const Labels labels = kLabelsOf(record);
    agreeing += !labels.empty();
    for (const std::string &label : labels) {
      if (known.add(label, std::ssize(*names))) names->push_back(label);
    }
  }
  return agreeing;
}

// The labels of the first records are names.
template <Labels (*kLabelsOf)(Bytes)>
Status complete_labels(const InputHead &input, Dialect *dialect) {
  collect_labels<kLabelsOf>(first_lines(input), &dialect->names);
  dialect->open = true;
  return Status::ok();
}

// Returns all labels that have values; empty if the line is not one of the scanner's records.
template <typename Scanner>
Labels labels_of(Bytes line) {
  Labels labels;
  Scanner scanner(line);
  LabelledPair pair;
  while (scanner.next(&pair)) {
    if (pair.has_value) labels.emplace_back(pair.label);
  }
  return scanner.error() == nullptr ? labels : Labels();
}

template <Labels (*kLabelsOf)(Bytes)>
std::optional<Dialect> recognize_labels(const LineFormat &format, const InputHead &input,
                                        const std::vector<Bytes> &records) {
  const auto has_labels = [](Bytes record) { return !kLabelsOf(record).empty(); };
  return accept(format, std::ranges::count_if(records, has_labels), input, records);
}

// The kind of named formats whose pairs a scanner takes.
template <typename Scanner>
inline constexpr NamedKind kLabelledKind = {make_labelled_reader<Scanner>,
                                            complete_labels<labels_of<Scanner>>,
                                            recognize_labels<labels_of<Scanner>>};

// Logfmt; for its variants in logs see labelled.cc.

// Returns the line without <PRI> of syslog before it.
__attribute__((noinline)) inline Bytes without_priority(Bytes line) {
  if (!line.starts_with('<')) return line;
  const size_t end = line.substr(0, 5).find('>');
  return end != Bytes::npos && is_digits(line.substr(1, end - 1)) ? line.substr(end + 1) : line;
}

// Scans key, key=value and key="value" between blanks, or between commas and blanks. A time that
// is a value may have blanks in it: time=2025-10-29 09:56:16.
class LogfmtScanner {
 public:
  explicit LogfmtScanner(Bytes line) {
    if (line.starts_with('<')) [[unlikely]]
      line = without_priority(line);
    at_ = line.data();
    end_ = at_ + line.size();
  }

  // Returns false at the end of the line or at an error().
  MRC_INLINE bool next(LabelledPair *pair) {
    while (at_ < end_ && is_blank(*at_)) ++at_;
    if (at_ == end_) return false;
    const char *label = at_;
    while (at_ < end_ && *at_ != '=' && !is_blank(*at_)) ++at_;
    *pair = {Bytes(label, at_), Bytes(at_, at_), false, false};
    if (at_ == end_ || *at_ != '=') return true;
    if (pair->label.empty()) return fail("expected a key in front of =");
    ++at_;
    pair->has_value = true;
    if (at_ < end_ && *at_ == '"') return next_quoted(pair);
    const char *value = at_;
    while (at_ < end_ && !is_blank(*at_)) ++at_;
    if (begins_number(at_[1])) [[unlikely]]
      skip_time(value);
    const bool separated = at_ > value && at_[-1] == ',';
    pair->value = Bytes(value, at_ - separated);
    return true;
  }
  const char *error() const { return error_; }
  static Bytes meaning(Bytes value, Arena *arena) { return unescape(value, arena); }

 private:
  // True for + , - . / and digits, with which labels do not begin. May read past the line.
  static bool begins_number(char c) { return static_cast<u8>(c - '+') <= '9' - '+'; }
  // Moves to the end of a time that begins with the value and is longer.
  __attribute__((noinline)) void skip_time(const char *value) {
    if (at_ == end_) return;
    const Timestamp time = find_timestamp(Bytes(value, end_));
    const char *stop = value + time.size;
    if (!has_date(time.shape) || stop <= at_) return;
    at_ = stop;
    if (at_ < end_ && *at_ == ',') ++at_;
  }
  bool fail(const char *error) {
    error_ = error;
    return false;
  }
  bool next_quoted(LabelledPair *pair) {
    const char *value = ++at_;
    for (; at_ < end_ && *at_ != '"'; ++at_) {
      if (*at_ != '\\') continue;
      pair->has_escapes = true;
      if (++at_ == end_) break;
    }
    if (at_ == end_) return fail("no closing quote of a value");
    pair->value = Bytes(value, at_++);
    if (at_ < end_ && *at_ == ',') ++at_;
    if (at_ < end_ && !is_blank(*at_)) return fail("expected a blank after a quoted value");
    return true;
  }

  const char *at_;
  const char *end_;
  const char *error_ = nullptr;
};

// True for names that programs use. Prose, and paths with = or : in them, are not labels.
bool is_label(Bytes text);

// Functions of LineFormat::logfmt. Pairs are separated by commas or by blanks.
Result<std::unique_ptr<RecordReader>> make_logfmt_reader(const Dialect &dialect,
                                                         std::span<const FieldName> wanted);
Status complete_logfmt(const InputHead &input, Dialect *dialect);
std::optional<Dialect> recognize_logfmt(const InputHead &input, const std::vector<Bytes> &records);

}  // namespace mrc
