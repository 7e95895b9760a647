#include "fields/inspect.h"

#include "base/text.h"
#include "base/typed_text.h"
#include "fields/binary.h"
#include "fields/json.h"
#include "fields/recognize.h"
#include "kinds/timestamp.h"

#include <algorithm>
#include <set>

namespace mrc {
namespace {

// Limits how many fields without names are examined.
constexpr i64 kMostNumbered = 64;

// Returns the fields to examine: those with names, or as many numbers as there may be.
std::vector<FieldName> all_fields(const Dialect &dialect) {
  std::vector<FieldName> all;
  const auto named = std::ssize(dialect.names);
  for (i64 i = 0; i < named; ++i) {
    const std::string &name = dialect.names[static_cast<size_t>(i)];
    all.push_back({name, name.empty() ? i + 1 : -1});
  }
  for (const Dialect &around : dialect.around) {
    for (FieldName &field : all_fields(around)) {
      if (!has_name(dialect.names, field.text) && field.number == -1) all.push_back(field);
    }
  }
  if (!all.empty() || dialect.open) return all;
  const i64 most = dialect.format->one_field ? 1 : kMostNumbered;
  for (i64 i = 1; i <= most; ++i) all.push_back({std::to_string(i), i});
  return all;
}

// Keeps the first distinct values as examples, because many values of a field are alike.
void add_example(Bytes value, FieldReport *report) {
  std::vector<std::string> &examples = report->examples;
  if (std::ssize(examples) == FieldReport::kExamples) return;
  if (std::find(examples.begin(), examples.end(), value) == examples.end()) {
    examples.emplace_back(value);
  }
}

// The kind of a field by the table of formats, if it is there, and by its values.
struct FieldTally {
  FieldKind known;
  SampledKind sampled;
  i64 present = 0;
  bool may_assume_year = false;
  std::set<i64> years = {};  // those that may be other numbers
};

// True if the layout of a log was learned from lines with a number after the clock. Within the
// brackets of the time, it is surely the year.
bool may_assume_year(const Dialect &dialect, const FieldName &field) {
  constexpr Bytes kTime = "%{time:ctime}";
  if (field.text != "time") return false;
  if (std::ranges::any_of(dialect.mixed,
                          [&](auto &part) { return may_assume_year(part, field); })) {
    return true;
  }
  const size_t at = dialect.pattern.find(kTime);
  return dialect.format == &LineFormat::log && at != std::string::npos &&
         Bytes("])>}\"").find(dialect.pattern[at + kTime.size()]) == Bytes::npos;
}

// Returns the year at the end of a time. If a zone precedes it, it can be nothing else.
std::optional<i64> year_at_end(Bytes time) {
  constexpr size_t kYear = 4;
  const std::optional<Timestamp> found = read_timestamp(time);
  const Bytes digits = time.substr(time.size() - std::min(kYear, time.size()));
  if (!found || found->zone != Timestamp::Zone::unsaid || !is_digits(digits)) return std::nullopt;
  return (digits[0] - '0') * 1000 + (digits[1] - '0') * 100 + (digits[2] - '0') * 10 + digits[3] -
         '0';
}

class Inspection {
 public:
  Inspection(const Dialect &dialect, const std::vector<FieldName> &fields, DateOrder dates) {
    // Names that are paths have their quotes already.
    const bool paths = dialect.format->paths;
    for (const FieldName &field : fields) {
      const std::string name = field.text.empty() ? std::to_string(field.number) : field.text;
      const bool as_is = paths || field.number > 0;
      report_.fields.push_back({.name = name, .written = as_is ? name : written_name(name, false)});
      const SampledKind sampled(without_quotes(name), paths, dates);
      tallies_.push_back({kind_in_format(dialect, field), sampled});
      tallies_.back().may_assume_year = may_assume_year(dialect, field);
    }
  }

  void add(const RecordBatch &batch) {
    for (size_t field = 0; field < tallies_.size(); ++field) {
      for (i64 i = 0; i < batch.size; ++i) {
        add_value(batch.fields[field][static_cast<size_t>(i)], field);
      }
    }
    report_.records += batch.size;
    report_.bad += std::ssize(batch.bad);
    if (batch.bad.empty() || !report_.reason.empty()) return;
    report_.first_bad = batch.bad[0].record;
    report_.reason = batch.bad[0].reason;
  }

  // A list of numbered fields ends with the last field that a record has.
  InputReport take(bool numbered) {
    for (size_t i = 0; i < tallies_.size(); ++i) finish(tallies_[i], &report_.fields[i]);
    while (numbered && !report_.fields.empty() && report_.fields.back().records == 0) {
      report_.fields.pop_back();
    }
    return std::move(report_);
  }

 private:
  void add_value(Bytes value, size_t field) {
    if (value.data() == nullptr) return;
    FieldTally &tally = tallies_[field];
    ++tally.present;
    if (value.empty() || value == "-") return;
    tally.sampled.add(value);
    if (tally.may_assume_year) {
      if (const std::optional<i64> year = year_at_end(value)) tally.years.insert(*year);
    }
    add_example(value, &report_.fields[field]);
  }
  static void finish(const FieldTally &tally, FieldReport *report) {
    report->kind = tally.known.kind != ValueKind::unknown ? tally.known : tally.sampled.kind();
    if (!is_settled(report->kind.dates)) report->kind.dates = tally.sampled.date_order();
    report->has_numbers = tally.sampled.has_numbers();
    report->mixes_zones = tally.sampled.mixes_zones();
    report->lacks_zones = tally.sampled.lacks_zones();
    report->assumed_year = tally.years.size() == 1 ? *tally.years.begin() : 0;
    if (report->kind.kind == ValueKind::time) report->offset = offset_of(report->examples);
    report->records = tally.present;
  }
  static i64 offset_of(const std::vector<std::string> &times) {
    const std::optional<Timestamp> time =
        times.empty() ? std::nullopt : read_timestamp(times.front());
    return time && time->zone == Timestamp::Zone::offset ? time->offset : 0;
  }

  std::vector<FieldTally> tallies_;
  InputReport report_;
};

// Returns the head without an incomplete record at its end. May be over-read by kPadding.
Bytes whole_records(const Dialect &dialect, Bytes head) {
  if (json_layout(dialect) != JsonLayout::lines) return whole_json_values(dialect, head);
  if (const auto bytes = static_cast<size_t>(record_bytes(dialect))) {
    return head.substr(0, head.size() / bytes * bytes);
  }
  const size_t last = head.rfind(dialect.terminator);
  return head.substr(0, last == Bytes::npos ? 0 : last + 1);
}

// Calls `take` with batches of the whole records of the head, which have the wanted fields.
template <typename Take>
Status read_head(const Dialect &dialect, const std::vector<FieldName> &wanted, Bytes head,
                 bool whole, Take take) {
  const Result<std::unique_ptr<RecordReader>> reader = make_reader(dialect, wanted);
  if (!reader.is_ok()) return reader.status();
  const std::string padded = std::string(head) + std::string(kPadding, '\0');
  const Bytes text(padded.data(), head.size());
  const Chunk chunk{whole ? text : whole_records(dialect, text), 0, 0};
  const char *next = padded.data(), *end = next + chunk.bytes.size();
  const auto batch = std::make_unique<RecordBatch>();
  batch->capacity =
      records_together(std::ssize(wanted) * i64{sizeof(Bytes)}, RecordBatch::kCapacity);
  while (next < end) {
    batch->clear();
    (*reader)->read(chunk, &next, batch.get());
    take(*batch);
  }
  return Status::ok();
}

}  // namespace

Result<InputReport> inspect(const Dialect &dialect, Bytes head, bool whole, DateOrder dates) {
  const std::vector<FieldName> wanted = all_fields(dialect);
  Inspection inspection(dialect, wanted, dates);
  const Status status = read_head(dialect, wanted, head, whole,
                                  [&](const RecordBatch &batch) { inspection.add(batch); });
  return status.is_ok() ? inspection.take(dialect.names.empty()) : Result<InputReport>(status);
}

i64 most_fields(const Dialect &dialect, Bytes head, bool whole) {
  const auto is_there = [&](i64 number) {
    bool found = false;
    const std::vector<FieldName> wanted = {{std::to_string(number), number}};
    const Status status = read_head(dialect, wanted, head, whole, [&](const RecordBatch &batch) {
      const auto &column = batch.fields[0];
      found |= std::any_of(column.data(), column.data() + batch.size,
                           [](Bytes value) { return value.data() != nullptr; });
    });
    return status.is_ok() && found;
  };
  i64 there = 0, beyond = 1;
  for (; is_there(beyond); beyond *= 2) there = beyond;
  while (there + 1 < beyond) {
    const i64 middle = there + (beyond - there) / 2;
    (is_there(middle) ? there : beyond) = middle;
  }
  return there;
}

}  // namespace mrc
