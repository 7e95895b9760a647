// Logs whose lines begin with a time, or nearly so: the other fields before the message are learned
// from the first lines (log_layout.h). A line without a time in its place continues the record
// before it, or, if each line has to be a record, is malformed.
#include "base/text.h"
#include "fields/inner/log_layout.h"
#include "fields/inner/make_line_reader.h"
#include "fields/recognize.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace mrc {
namespace {

constexpr size_t kMostSampled = 500;
constexpr const char *kNoTime = "expected a time, as the first lines have it",
                     *kNoLevel = "expected a level, as the first lines have it";

struct LogParser {
  static constexpr bool kKeepsBlankLines = false;
  LogLayout layout, front;          // up to the last wanted place; up to the time
  std::vector<WantedField> wanted;  // with places in the layout as numbers
  size_t time;                      // place of the time or, without one, of the level

  bool begins(Bytes head) const {
    LogValues found;
    return front.match(head, &found);
  }
  bool is_rest(const WantedField &field) const {
    return static_cast<size_t>(field.field) == layout.names().size() - 1;
  }
  const char *parse(Bytes line, FieldRow row, Arena *) const {
    LogValues found;
    if (!layout.match(line, &found)) {
      return layout.names()[time] == "level" ? kNoLevel : kNoTime;
    }
    const size_t message = layout.names().size() - 1;
    for (const WantedField &one : wanted) {
      const auto place = static_cast<size_t>(one.field);
      if (place >= found.known && place != message) continue;
      row.put(one.column, found.values[place].bytes());
    }
    return nullptr;
  }
};

// Returns the form that a dialect keeps: the number of the shape, a blank and the layout.
std::string saved(const LearnedLog &log) {
  return fmt::format("{} {}", static_cast<int>(log.shape), log.layout);
}
LogLayout restored(Bytes text) {
  int shape = 0;
  std::from_chars(text.data(), text.data() + text.size(), shape);
  return LogLayout(text.substr(text.find(' ') + 1), static_cast<TimeShape>(shape));
}

// Returns the places of the values that have names.
std::vector<i64> named_places(const LogLayout &layout) {
  std::vector<i64> places;
  for (size_t i = 0; i < layout.names().size(); ++i) {
    if (!layout.names()[i].empty()) places.push_back(static_cast<i64>(i));
  }
  return places;
}

// Returns the place of the time or, if there is none, of the level.
size_t front_of(const LogLayout &layout) {
  auto found = std::ranges::find(layout.names(), "time");
  if (found == layout.names().end()) found = std::ranges::find(layout.names(), "level");
  return static_cast<size_t>(found - layout.names().begin());
}

// Makes a parser that splits lines only as far as these places are wanted.
LogParser make_parser(const LogLayout &layout, const std::vector<i64> &places,
                      std::vector<WantedField> wanted) {
  const size_t time = front_of(layout);
  size_t last = 0;
  for (WantedField &one : wanted) {
    one.field = places[static_cast<size_t>(one.field)];
    last = std::max(last, static_cast<size_t>(one.field));
  }
  LogParser parser{layout, layout, std::move(wanted), time};
  parser.front.forget_after(time);
  if (last + 1 < layout.names().size()) parser.layout.forget_after(last);
  return parser;
}

Result<std::unique_ptr<RecordReader>> make_log_reader(const Dialect &dialect,
                                                      std::span<const FieldName> wanted) {
  const LogLayout layout = restored(dialect.layout);
  const std::vector<i64> places = named_places(layout);
  const auto make = [&](const auto &fields) { return make_parser(layout, places, fields); };
  if (!dialect.joins_lines) return make_line_reader(dialect, wanted, std::ssize(places), make);
  return make_line_reader<JoinedLineReader>(dialect, wanted, std::ssize(places), make);
}

void describe(const LearnedLog &log, size_t lines, Dialect *dialect) {
  dialect->layout = saved(log);
  dialect->joins_lines = true;
  dialect->names.clear();
  const LogLayout layout = restored(dialect->layout);
  for (i64 place : named_places(layout)) {
    dialect->names.push_back(layout.names()[static_cast<size_t>(place)]);
  }
  dialect->reason = fmt::format("{} of the first {} lines are {}", log.fitting, lines, log.layout);
}

// Counts the lines that do not even look like continuations.
i64 count_strange(const LearnedLog &log, const std::vector<Bytes> &lines) {
  const i64 others = std::ssize(lines) - log.fitting;
  return std::max<i64>(0, others - std::ranges::count_if(lines, goes_on));
}

// True if enough lines begin with a time; more are needed if it is not at the very beginning. A
// date at the beginning, in the first line too, may be the head of a record of many lines.
bool is_convincing(const LearnedLog &log, const std::vector<Bytes> &lines) {
  if (log.shape == TimeShape::none || log.fitting * 20 < std::ssize(lines)) return false;
  if (log.is_front && log.begins && log.fitting > 1 && has_date(log.shape)) return true;
  return log.fitting >= count_strange(log, lines) * (log.is_front ? 1 : 9);
}

// Levels are less clear than times: most lines have to begin with one.
std::optional<LearnedLog> learn_levels(const std::vector<Bytes> &lines) {
  std::optional<LearnedLog> log = learn_log_of_levels(lines);
  if (log && log->fitting > count_strange(*log, lines)) return log;
  return std::nullopt;
}

// Returns the layout of the lines, if it is convincing.
std::optional<LearnedLog> learn_surely(const std::vector<Bytes> &lines) {
  std::optional<LearnedLog> log = learn_log(lines);
  return log && is_convincing(*log, lines) ? log : learn_levels(lines);
}

std::vector<Bytes> sample(const InputHead &input) { return first_lines(input, kMostSampled); }

Status complete_log(const InputHead &input, Dialect *dialect) {
  const std::vector<Bytes> lines = sample(input);
  std::optional<LearnedLog> log = learn_surely(lines);
  if (!log) log = learn_log(lines);
  describe(log.value_or(LearnedLog{.layout = "{time} {message}"}), lines.size(), dialect);
  return Status::ok();
}

// The few records are enough for a hint.
std::optional<Dialect> recognize_log(const InputHead &input, const std::vector<Bytes> &records) {
  const std::vector<Bytes> lines = input.spec.names_fields ? sample(input) : records;
  const std::optional<LearnedLog> log = learn_surely(lines);
  if (!log) return std::nullopt;
  Dialect dialect = {.format = &LineFormat::log, .terminator = input.spec.terminator};
  describe(*log, lines.size(), &dialect);
  return dialect;
}

}  // namespace

constinit const LineFormat LineFormat::log = {
    .name = "log",
    .make_reader = make_log_reader,
    .complete = complete_log,
    .recognize = recognize_log,
    .by_name = true,
    .kinds =
        "time:time level:syslog-level pid:number thread:text program:text host:text "
        "logger:text message:text",
};

}  // namespace mrc
