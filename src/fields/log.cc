// Logs whose lines begin with a time, or nearly so: the other fields before the message are learned
// from the first lines, as a pattern.
#include "fields/inner/log_layout.h"
#include "fields/inner/make_line_reader.h"
#include "fields/inner/pattern_values.h"
#include "fields/recognize.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

constexpr size_t kSampledLines = 500;

void describe_learned(const LearnedLog &log, size_t lines, Dialect *dialect) {
  dialect->pattern = log.pattern;
  dialect->names = Pattern::compile(log.pattern)->fields;
  dialect->joins_lines = true;
  dialect->time_form = log.form;
  dialect->reason = fmt::format("{} of the first {} lines are {}", log.fitting, lines, log.pattern);
}

// Counts the lines that do not even look like continuations. If lines with a clock are indented, a
// blank in front of the others says nothing.
i64 count_strange(const LearnedLog &log, const std::vector<Bytes> &lines) {
  const i64 others = std::ssize(lines) - log.fitting;
  if (log.pattern.starts_with("%~ ") && !has_date(log.form.shape)) return others;
  return std::max<i64>(0, others - std::ranges::count_if(lines, goes_on));
}

// True if enough lines begin with a time; more are needed if it is not at the very beginning. A
// date at the beginning, in the first line too, may be the head of a record of many lines.
bool is_convincing_log(const LearnedLog &log, const std::vector<Bytes> &lines) {
  if (log.form.shape == TimeShape::none || log.fitting * 20 < std::ssize(lines)) return false;
  if (log.is_front && log.begins && log.fitting > 1 && has_date(log.form.shape)) return true;
  return log.fitting >= count_strange(log, lines) * (log.is_front ? 1 : 9);
}

// Levels are less clear than times: most lines have to begin with one.
std::optional<LearnedLog> learn_levels(const std::vector<Bytes> &lines) {
  std::optional<LearnedLog> log = learn_log_of_levels(lines);
  if (log && log->fitting > count_strange(*log, lines)) return log;
  return std::nullopt;
}

// Returns the layout of the lines, if it is convincing.
std::optional<LearnedLog> learn_plain(const std::vector<Bytes> &lines) {
  std::optional<LearnedLog> log = learn_log(lines);
  return log && is_convincing_log(*log, lines) ? log : learn_levels(lines);
}

// Learns from lines without their colors.
std::optional<LearnedLog> learn_colored(const std::vector<Bytes> &lines) {
  Arena arena;
  std::vector<Bytes> plain;
  for (Bytes line : lines) plain.push_back(without_colors(line, &arena));
  std::optional<LearnedLog> log = learn_plain(plain);
  if (log) log->pattern.insert(Bytes("%~").size(), "%e");
  return log;
}

std::optional<LearnedLog> learn_surely(const std::vector<Bytes> &lines) {
  const bool is_colored = std::ranges::any_of(lines, has_colors);
  return is_colored ? learn_colored(lines) : learn_plain(lines);
}

std::vector<Bytes> sample(const InputHead &input) { return first_lines(input, kSampledLines); }

Status complete_log(const InputHead &input, Dialect *dialect) {
  const std::vector<Bytes> lines = sample(input);
  std::optional<LearnedLog> log = learn_surely(lines);
  if (!log) log = learn_log(lines);
  describe_learned(log.value_or(LearnedLog{.pattern = "%~%{time} %{message}"}), lines.size(),
                   dialect);
  return Status::ok();
}

// The few records are enough for a hint.
std::optional<Dialect> recognize_any_log(const InputHead &input,
                                         const std::vector<Bytes> &records) {
  const std::vector<Bytes> lines = input.spec.names_fields ? sample(input) : records;
  const std::optional<LearnedLog> log = learn_surely(lines);
  if (!log) return std::nullopt;
  Dialect dialect = {.format = &LineFormat::log, .terminator = input.spec.terminator};
  describe_learned(*log, lines.size(), &dialect);
  return dialect;
}

}  // namespace

constinit const LineFormat LineFormat::log = {
    .name = "log",
    .make_reader = make_pattern_reader,
    .complete = complete_log,
    .recognize = recognize_any_log,
    .by_name = true,
    .kinds =
        "time:time level:syslog-level pid:number thread:text program:text host:text "
        "logger:text message:text",
};

}  // namespace mrc
