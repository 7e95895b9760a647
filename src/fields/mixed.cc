// Lines are divided by their coarse form, such as the place and the shape of the time, and the
// dialect of each division is recognized as if its lines were a file of their own.
#include "fields/inner/mixed.h"

#include "base/text.h"
#include "fields/inner/line_forms.h"
#include "fields/inner/log_layout.h"
#include "fields/inner/make_line_reader.h"
#include "fields/inner/named_formats.h"
#include "fields/inner/surrounded.h"
#include "fields/pattern.h"
#include "fields/wrapper.h"
#include "kinds/level.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace mrc {
namespace {

constexpr size_t kMostSampled = 1000, kMostLookedInto = 100;  // lines
constexpr size_t kMostParts = 4;

// Fewer records are no format of their own.
i64 least_records(i64 of) { return std::max<i64>(3, (of + 19) / 20); }
constexpr i64 kLeastOfPart = 3;

// True if text in these lines may be a record of its own.
bool is_carrier(const Dialect &dialect) {
  const NamedFormat *row = dialect.format->row;
  const bool is_around = row != nullptr && row->lines == NamedFormat::Lines::around;
  return dialect.wrapper < 0 && (is_around || dialect.format == &LineFormat::syslog);
}

// True if the dialect knows more of its records than a learned one.
bool is_named(const Dialect &dialect) {
  const LineFormat *format = dialect.format;
  const bool is_any = format == &LineFormat::lines || format == &LineFormat::log;
  return !is_any && !is_carrier(dialect);
}

bool has_layout(const Dialect &dialect) {
  return dialect.format == &LineFormat::log && dialect.pattern.starts_with("%~");
}

// Makes records have times of this form only.
void keep_form(const TimeForm &form, Dialect *dialect) {
  dialect->time_form = form;
  dialect->one_form = form.shape != TimeShape::none;
}

// Reads lines by a dialect, as records of one line each.
class LineTest {
 public:
  LineTest(Dialect dialect, char terminator) : terminator_(terminator) {
    dialect.joins_lines = false;
    Result<std::unique_ptr<RecordReader>> reader = make_reader(dialect, {});
    if (reader.is_ok()) reader_ = std::move(*reader);
  }

  // Returns which of the lines are records of the dialect.
  std::vector<bool> of(const Lines &lines) {
    std::vector<bool> matches(lines.size());
    for (size_t i = 0; i < lines.size(); i += RecordBatch::kCapacity) {
      test(lines, i, std::min<size_t>(lines.size(), i + RecordBatch::kCapacity), &matches);
    }
    return matches;
  }

 private:
  void test(const Lines &lines, size_t from, size_t to, std::vector<bool> *matches) {
    if (reader_ == nullptr) return;
    std::string text;
    std::vector<size_t> begins;
    for (size_t i = from; i < to; ++i) {
      begins.push_back(text.size());
      text.append(lines[i]) += terminator_;
    }
    const size_t size = text.size();
    text.append(kPadding, '\0');
    RecordBatch batch;
    const Chunk chunk{Bytes(text.data(), size), 0, kHeadOfRecord};
    const char *next = text.data();
    reader_->read(chunk, &next, &batch);
    size_t line = 0;
    for (size_t i = 0; i < static_cast<size_t>(batch.size); ++i) {
      const auto at = static_cast<size_t>(batch.records[i].data() - text.data());
      while (line + 1 < begins.size() && begins[line + 1] <= at) ++line;
      (*matches)[from + line] = true;
    }
  }

  const char terminator_;
  std::unique_ptr<RecordReader> reader_;
};

// Returns the dialect of lines of one form, if it may be one of several. Records inside the lines
// of syslog are found for jobs that ask for their level.
std::optional<Dialect> dialect_of(const Division &division, const FormatSpec &spec) {
  if (std::ssize(division.lines) < kLeastOfPart) return std::nullopt;
  std::string text;
  for (Bytes line : division.lines) text.append(line) += spec.terminator;
  const size_t size = text.size();
  text.append(kPadding, '\0');
  const Bytes lines(text.data(), size);
  Dialect dialect = recognize_one({spec, lines, true}, false);
  if (is_carrier(dialect)) {
    FormatSpec with_level = spec;
    with_level.named = {"level"};
    Dialect inner = recognize_one({with_level, lines, true}, false);
    if (inner.wrapper >= 0) dialect = std::move(inner);
  }
  if (!may_be_mixed(dialect)) {  // such as lines with tabs
    dialect = {.format = &LineFormat::log, .terminator = spec.terminator};
    if (!LineFormat::log.complete({spec, lines, true}, &dialect).is_ok()) return std::nullopt;
  }
  // A later line of a record may have a time after other words, or begin with a number that looks
  // like a time.
  const bool is_loose =
      dialect.format == &LineFormat::log && dialect.wrapper < 0 && has_name(dialect.names, "time");
  const bool has_level = has_name(dialect.names, "level");
  const auto is_record = [&](Bytes line) {
    return has_own_time(line) || (has_level && begins_with_epoch(line));
  };
  const bool is_own = !is_loose || is_most(std::ranges::count_if(division.lines, is_record),
                                           std::ssize(division.lines));
  if (!is_own || !may_be_mixed(dialect)) return std::nullopt;
  if (has_layout(dialect) && dialect.wrapper < 0) keep_form(form_in(division.lines[0]), &dialect);
  return dialect;
}

// The dialects of an input, and how many of the lines each of them reads.
class Mixture {
 public:
  Mixture(const InputHead &input, Lines lines)
      : spec_(input.spec), lines_(std::move(lines)), taken_by_(lines_.size(), -1) {}

  void add(Dialect dialect) {
    const auto is_known = [&](const Dialect &other) { return is_same(dialect, other); };
    if (std::ranges::none_of(parts_, is_known)) parts_.push_back(std::move(dialect));
  }
  // Adds the dialects of lines of the same form.
  void add_of(const Lines &lines) {
    for (const Division &division : divide(lines)) {
      if (std::optional<Dialect> dialect = dialect_of(division, spec_)) add(std::move(*dialect));
    }
  }
  // Adds the dialects with levels of lines that differ in the words after their times.
  void add_layouts_of(const Lines &lines) {
    for (const Division &division : divide(lines, true)) {
      std::optional<Dialect> dialect = dialect_of(division, spec_);
      if (dialect && has_name(dialect->names, "level")) add(std::move(*dialect));
    }
  }
  void sort() { std::ranges::stable_sort(parts_, is_clearer); }

  // Drops dialects that few lines need. Returns false unless there are several then.
  bool settle() {
    for (;;) {
      count();
      const auto least = std::ranges::min_element(counts_);
      if (parts_.size() < 2) return false;
      if (*least >= kLeastOfPart && parts_.size() <= kMostParts) return true;
      parts_.erase(parts_.begin() + (least - counts_.begin()));
    }
  }
  i64 taken() const {
    return std::ranges::count_if(taken_by_, [](i64 by) { return by >= 0; });
  }
  // Returns how many lines are not of the dialect that has most.
  i64 of_others() const { return taken() - std::ranges::max(counts_); }

  Dialect dialect() const;
  // Returns the dialect if there is only one, and it knows what its records are.
  std::optional<Dialect> only() const;

 private:
  void count() {
    std::ranges::fill(taken_by_, -1);
    counts_.assign(parts_.size(), 0);
    for (const MixedTrial &trial : trials_of(parts_)) {
      const std::vector<bool> matches = LineTest(trial.dialect, spec_.terminator).of(lines_);
      for (size_t i = 0; i < lines_.size(); ++i) {
        if (!matches[i] || taken_by_[i] >= 0) continue;
        taken_by_[i] = static_cast<i64>(trial.part);
        ++counts_[trial.part];
      }
    }
  }

  const FormatSpec &spec_;
  const Lines lines_;
  std::vector<i64> taken_by_;  // by line: number of its dialect; -1: none
  std::vector<Dialect> parts_;
  std::vector<i64> counts_;
};

void add_names(const Dialect &of, std::vector<std::string> *names) {
  for (const std::string &name : of.names) {
    if (!name.empty() && !has_name(*names, name)) names->push_back(name);
  }
  for (const Dialect &around : of.around) add_names(around, names);
}

std::string reason_of(const Dialect &part, i64 count, size_t of) {
  std::string reason = fmt::format("{} of the first {} lines", count, of);
  if (part.format == &LineFormat::log) reason += " are " + part.pattern;
  if (part.wrapper < 0) return reason;
  return reason +
         fmt::format(", unwrapped ({})", wrappers()[static_cast<size_t>(part.wrapper)].name);
}

Dialect Mixture::dialect() const {
  Dialect mixed{.format = &LineFormat::mixed, .terminator = spec_.terminator};
  for (size_t i = 0; i < parts_.size(); ++i) {
    Dialect &part = mixed.mixed.emplace_back(parts_[i]);
    part.reason = reason_of(part, counts_[i], lines_.size());
    add_names(part, &mixed.names);
    mixed.open |= part.open;
    mixed.joins_lines |= part.joins_lines;
  }
  mixed.reason = fmt::format("{} of the first {} lines have one of {} formats", taken(),
                             lines_.size(), parts_.size());
  return mixed;
}

std::optional<Dialect> Mixture::only() const {
  if (parts_.size() != 1 || !is_named(parts_[0])) return std::nullopt;
  Dialect only = parts_[0];
  only.reason = reason_of(only, counts_[0], lines_.size());
  return only;
}

// True if a date and a time are among the first words.
bool has_early_time(Bytes line) {
  LogPrefix prefix;
  return find_prefix(line, &prefix) && has_date(prefix.time.shape);
}

// True if the line looks like a record, and not like one more line of the record before it.
bool begins_record(Bytes line) {
  return is_json(line) || begins_with_key(line) || has_early_time(line) || begins_with_epoch(line);
}

// Returns the lines that may be records, but not of this dialect.
Lines other_lines(const Dialect &found, const Lines &lines, const std::vector<bool> &matches) {
  Lines others;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (matches[i] || goes_on(lines[i])) continue;
    if (!found.joins_lines || begins_record(lines[i])) others.push_back(lines[i]);
  }
  return others;
}

// True if records of several forms are inside the first lines of a dialect.
bool has_forms_inside(const Dialect &found, const Lines &lines) {
  if (!is_carrier(found)) {
    const auto has_object = [](Bytes line) { return line.find(" {\"") != Bytes::npos; };
    if (found.format != &LineFormat::log || std::ranges::none_of(lines, has_object)) return false;
  }
  const size_t size = std::min(lines.size(), kMostLookedInto);
  const std::vector<Division> divisions =
      divide({lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(size)});
  return divisions.size() > 1 &&
         std::ssize(divisions[1].lines) >= least_records(static_cast<i64>(size));
}

// True if records are lines, each of which can be read alone.
bool has_plain_lines(const Dialect &dialect) {
  const LineFormat &format = *dialect.format;
  const bool has_other_shape = format.quoted || dialect.header || dialect.preamble > 0 ||
                               !dialect.layout.empty() || !dialect.record_start.empty();
  if (has_other_shape || format.one_field) return false;
  if (const NamedFormat *row = format.row) {
    const bool has_lines = row->kind == &kPatternKind && pattern_of(*row).has_line_ends;
    if (!row->kind->alone || has_lines) return false;
  }
  return true;
}

// A program writes its times in one form, so lines with another one are those of another program.
// Keeps the matches with the most frequent form, and returns it.
TimeForm keep_one_form(const Lines &lines, std::vector<bool> *matches) {
  std::vector<TimeForm> forms(lines.size());
  std::map<TimeForm, i64> counts;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (!(*matches)[i]) continue;
    forms[i] = form_in(lines[i]);
    ++counts[forms[i]];
  }
  if (counts.empty()) return {};
  const TimeForm most =
      std::ranges::max_element(counts, {}, [](const auto &each) { return each.second; })->first;
  for (size_t i = 0; i < lines.size(); ++i) (*matches)[i] = (*matches)[i] && forms[i] == most;
  return most;
}

// Returns the dialects of logs of one style, if the layout of all their lines lacks the levels that
// their own layouts have.
std::optional<Dialect> recognize_layouts(const InputHead &input, const Dialect &found,
                                         const Lines &lines, i64 least) {
  const bool has_other = !has_layout(found) || found.wrapper >= 0 || has_name(found.names, "level");
  if (has_other || !has_name(found.names, "time")) return std::nullopt;
  Mixture mixture(input, lines);
  mixture.add_layouts_of(lines);
  const bool has_several = mixture.settle() && mixture.of_others() >= least;
  return has_several ? std::optional(mixture.dialect()) : std::nullopt;
}

// Returns which of the lines are records of the dialect that was found for all. Malformed objects
// have no other dialect.
std::vector<bool> matches_of(const Dialect &found, const Lines &lines, char terminator) {
  std::vector<bool> matches(lines.size());
  if (found.format == &LineFormat::lines) return matches;
  if (!found.format->paths || found.wrapper >= 0) return LineTest(found, terminator).of(lines);
  for (size_t i = 0; i < lines.size(); ++i) matches[i] = lines[i].starts_with('{');
  return matches;
}

}  // namespace

// Most lines lack no value of their layout, so the whole of it tells layouts apart.
std::vector<MixedTrial> trials_of(const std::vector<Dialect> &parts) {
  std::vector<MixedTrial> trials;
  for (size_t i = 0; i < parts.size(); ++i) {
    trials.push_back({i, parts[i]});
    trials.back().dialect.whole_layout = has_layout(parts[i]);
  }
  for (size_t i = 0; i < parts.size(); ++i) {
    if (has_layout(parts[i])) trials.push_back({i, parts[i]});
  }
  return trials;
}

bool may_be_mixed(const Dialect &dialect) {
  return has_plain_lines(dialect) && (has_field(dialect, "time") || has_field(dialect, "level"));
}

// A dialect of a table is tried first, and the others are those of lines that it does not match.
// Other dialects may match lines of any, and are tried last.
std::optional<Dialect> recognize_mixed(const InputHead &input, Dialect found) {
  const bool is_any = found.format == &LineFormat::lines;
  if (!input.spec.record_start.empty() || !(is_any || has_plain_lines(found))) return std::nullopt;
  const Lines lines = first_lines(input, kMostSampled);
  std::vector<bool> matches = matches_of(found, lines, input.spec.terminator);
  if (has_layout(found) && found.wrapper < 0) keep_form(keep_one_form(lines, &matches), &found);
  const i64 least = least_records(std::ssize(lines));
  const Lines others = other_lines(found, lines, matches);
  const bool has_others = std::ssize(others) >= least;
  if (!has_others && !has_forms_inside(found, lines)) {
    return recognize_layouts(input, found, lines, least);
  }
  Mixture mixture(input, lines);
  if (is_named(found)) {
    mixture.add(found);
    mixture.add_of(others);
  } else {
    mixture.add_of(lines);
    if (!is_any) mixture.add(found);
    mixture.sort();
  }
  const bool has_several = mixture.settle();
  // Requests between what a server prints as it starts, which is prose.
  if (is_any && mixture.taken() >= least && mixture.only()) return mixture.only();
  if (!has_several || mixture.of_others() < least) return std::nullopt;
  const i64 alone = std::ranges::count(matches, true);
  if (has_others && mixture.taken() < alone + least) return std::nullopt;
  return mixture.dialect();
}

}  // namespace mrc
