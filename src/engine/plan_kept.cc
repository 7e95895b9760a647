#include "base/hash.h"
#include "base/setting_name.h"
#include "base/text.h"
#include "engine/inner/input_formats.h"
#include "engine/inner/kept_inputs.h"
#include "engine/inner/plan.h"
#include "engine/inner/plan_steps.h"
#include "fields/csv.h"
#include "kept/loads.h"
#include "sched/sched.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

// Returns the position after the last whole record among the fresh bytes.
Result<i64> end_of_records(const CutBytes &cuts, const Source &source) {
  constexpr i64 kPiece = i64{64} << 10;
  Result<InputFile> file = InputFile::open(source);
  if (!file.is_ok()) return file.status();
  std::string piece;
  for (i64 end = source.end; end > source.fresh();) {
    const i64 begin = std::max(source.fresh(), end - kPiece);
    piece.resize(static_cast<size_t>(end - begin));
    Result<i64> got = file->read_at(begin, piece.data(), std::ssize(piece));
    if (!got.is_ok()) return got.status();
    const char *last = cuts.last(piece.data(), piece.data() + *got, begin - source.begin);
    if (last != nullptr) return begin + (last - piece.data()) + 1;
    end = begin;
  }
  return source.fresh();
}

// Does what end_of_records() does for records whose quotes may contain line ends: follows the
// quotes from the front.
Result<i64> end_of_quoted_records(const Source &source, CsvBytes bytes) {
  constexpr i64 kPiece = i64{1} << 20;
  Result<InputFile> file = InputFile::open(source);
  if (!file.is_ok()) return file.status();
  std::string piece;
  CsvState state = CsvState::field;
  i64 end = source.fresh();
  for (i64 at = end; at < source.end;) {
    piece.resize(static_cast<size_t>(std::min(kPiece, source.end - at) + kPadding));
    Result<i64> got = file->read_at(at, piece.data(), std::ssize(piece) - kPadding);
    if (!got.is_ok()) return got.status();
    if (*got == 0) break;
    const i64 mark = at == 0 && Bytes(piece).starts_with(kByteOrderMark) ? 3 : 0;
    const CsvSkim seen = best_csv_scanner().skim(state, piece.data() + std::min(mark, *got),
                                                 piece.data() + *got, bytes);
    if (seen.end != nullptr) end = at + (seen.end - piece.data()) + 1;
    state = seen.state;
    at += *got;
  }
  return end;
}

// Returns the begin of the last of the records of several lines that end before `end`; `end` if
// records are lines.
Result<i64> begin_of_last_record(const Program &program, const Plan &plan, i64 i, i64 end) {
  constexpr i64 kPiece = i64{64} << 10;
  const Source &source = plan.sources[static_cast<size_t>(i)];
  const LineGroups groups = plan.readers ? groups_of(*plan.readers, i) : program.map.groups;
  if (!groups || end <= source.fresh()) return end;
  Result<InputFile> file = InputFile::open(source);
  if (!file.is_ok()) return file.status();
  std::string bytes;
  for (i64 size = kPiece;; size *= 2) {
    const i64 begin = std::max(source.fresh(), end - size);
    bytes.resize(static_cast<size_t>(end - begin));
    Result<i64> got = file->read_at(begin, bytes.data(), std::ssize(bytes));
    if (!got.is_ok()) return got.status();
    bytes.resize(static_cast<size_t>(*got));
    bytes.append(kPadding, '\0');
    const char *last = groups.last(bytes.data(), bytes.data() + *got);
    if (last != nullptr) return begin + (last - bytes.data()) + 1;
    if (begin == source.fresh()) return begin;
  }
}

// Returns the end of the last whole record among the fresh bytes of a file, or their front if there
// is none. REQUIRES: the readers of the plan are made
Result<i64> end_of_whole_records(const CutBytes &cuts, const Plan &plan, i64 i) {
  const Source &source = plan.sources[static_cast<size_t>(i)];
  const std::optional<CsvBytes> quotes = plan.readers ? quotes_of(*plan.readers, i) : std::nullopt;
  return quotes ? end_of_quoted_records(source, *quotes) : end_of_records(cuts, source);
}

}  // namespace

u64 hash_of(const Dialect &dialect) {
  const std::string delimiter =
      dialect.delimiter ? std::to_string(static_cast<unsigned char>(*dialect.delimiter)) : "";
  std::string text =
      fmt::format("{}\n{}\n{}\n{}{}\n{}", dialect.format->name, delimiter, int{dialect.terminator},
                  int{dialect.header}, int{dialect.open}, dialect.regex);
  if (!dialect.pattern.empty()) text += "\npattern " + dialect.pattern;
  if (dialect.wrapper >= 0) text += fmt::format("\nwrapper {}", dialect.wrapper);
  if (dialect.preamble > 0) text += fmt::format("\npreamble {}", dialect.preamble);
  if (dialect.joins_time) text += "\njoins time";
  if (!dialect.zone.empty()) text += "\nzone " + dialect.zone;
  if (!dialect.record_start.empty()) text += "\nrecord start " + dialect.record_start;
  if (!dialect.layout.empty()) text += fmt::format("\n{}", dialect.layout);
  // Records of an open dialect have all names, and the first lines show only some.
  for (i64 i = 0; i < std::ssize(dialect.names) && !dialect.open; ++i) {
    const std::string &name = dialect.names[static_cast<size_t>(i)];
    text += fmt::format("\n{} {}", name.size(), name);
  }
  for (const Dialect &around : dialect.around) text += fmt::format("\naround {}", hash_of(around));
  if (const TimeForm &form = dialect.time_form; dialect.one_form) {
    text += fmt::format("\ntimes {} {} {}", static_cast<int>(form.shape), int{form.mark},
                        int{form.joint});
  }
  for (const Dialect &part : dialect.mixed) text += fmt::format("\nmixed {}", hash_of(part));
  return checksum_bytes(text);
}

namespace {

u64 hash_of(const JoinSide &side, i64 source) {
  std::string text = fmt::format("side {}", source);
  for (const auto *fields : {&side.keys, &side.fields}) {
    text += fmt::format("\n{}", fields->size());
    for (const FieldExpr &field : *fields) {
      const std::string name = field.column();
      text += fmt::format("\n{} {} {}", field.field.number, name.size(), name);
    }
  }
  return checksum_bytes(text);
}

}  // namespace

u64 reading_of(const Plan &plan, i64 source) {
  const auto i = static_cast<size_t>(source);
  const bool is_packed = plan.sources[i].codec != Codec::none;  // its dialect comes with its bytes
  const Dialect *dialect = plan.readers && !is_packed ? plan.readers->dialect(source) : nullptr;
  const u64 reading = dialect == nullptr ? 0 : hash_of(*dialect);
  return plan.join ? reading ^ hash_of(plan.join->sides[plan.join->spec.side_of(source)], source)
                   : reading;
}

namespace {

// A border must not be inside a record: quotes may contain line ends, and a record of words may
// continue after the terminator.
CutFile file_to_cut(const Program &program, const Plan &plan, i64 i) {
  CutFile file{.source = &plan.sources[static_cast<size_t>(i)]};
  if (plan.readers && quotes_of(*plan.readers, i)) file.quote = '"';
  file.groups = plan.readers ? groups_of(*plan.readers, i) : program.map.groups;
  file.whole = program.map.records == MapSpec::Records::words &&
               program.map.cut_bytes().find(program.map.terminator) == std::string_view::npos;
  return file;
}

void take_tiles(const CutFile &file, i64 i, Plan *plan) {
  Source &source = plan->sources[static_cast<size_t>(i)];
  if (!file.status.is_ok()) {  // its reader will complain
    source.parts = {{0, source.end}};
    return;
  }
  source.parts = plan->state->take_tiles(i, file.tiles, reading_of(*plan, i));
  plan->input_bytes -= source.end;
  for (const Source::Part &part : source.parts) plan->input_bytes += part.end - part.begin;
  if (source.parts.empty()) source.pass_over();
}

std::string known_of(const KeptInputs &kept) {
  return fmt::format("{} bytes known, of {} sources", kept.known_bytes(), kept.known_sources());
}

// Opens the directory. That of loads gets rid of what loads have left that did not end.
Result<KeptDirectory> open_directory(const KeepSpec &keep) {
  const bool is_load = !keep.loads_into.empty() && keep.creates;
  if (is_load) {
    if (Status status = make_loads(keep.loads_into); !status.is_ok()) return status;
  }
  Result<KeptDirectory> directory = KeptInputs::open(keep);
  if (!directory.is_ok() || !is_load) return directory;
  Status status = sweep_loads(keep.loads_into, directory->manifest());
  return status.is_ok() ? std::move(directory) : status;
}

// Returns null and sets the problem of the plan if the directory cannot be used.
KeptInputs *open(const Program &program, Plan *plan) {
  Result<KeptDirectory> directory = open_directory(program.keep);
  plan->problem = directory.status();
  if (!directory.is_ok()) return nullptr;
  if (program.keep.is_checkpoint) {
    plan->checkpoint = std::make_shared<CheckpointInputs>(std::move(*directory), program.keep);
    return plan->checkpoint.get();
  }
  plan->state = std::make_shared<StateInputs>(std::move(*directory), program.keep);
  if (program.map.values == MapSpec::Values::input) plan->state->count_by_source();
  return plan->state.get();
}

// True for the name of a rotated log: the name of an existing file, followed by a number, a date or
// "old".
bool is_rotated(const std::string &path) {
  const size_t name = path.rfind('/') + 1;
  for (size_t at = path.find_first_of(".-_", name); at != path.npos;
       at = path.find_first_of(".-_", at + 1)) {
    const std::string_view suffix = std::string_view(path).substr(at + 1);
    const bool is_mark =
        suffix == "old" || (!suffix.empty() && is_digit(suffix.front()) &&
                            suffix.find_first_not_of("0123456789-_.:T") == suffix.npos);
    const std::string log = path.substr(0, at);
    if (is_mark && at > name && examine(log).is_ok()) return true;
  }
  return false;
}

// Makes a tile of the last line, or of the last record of several lines. It counts in this run and
// is not kept, as it may still grow.
// Tiles by content need no such tile: if the line grows, its tile is not found again.
void count_last_line(const KeepSpec &keep, i64 end, Source *source) {
  if (keep.tile_bytes > 0) return;
  if (end > source->fresh()) source->parts.push_back({source->fresh(), end});
  source->parts.push_back({end, source->end});
}

// `left`: files whose last line is left, and its bytes.
std::string note_on_last_lines(const KeepSpec &keep,
                               const std::vector<std::pair<std::string, i64>> &left) {
  const auto &[name, bytes] = left.front();
  const bool is_load = !keep.loads_into.empty();
  std::string note = fmt::format(
      "{}: the last {}, of {} byte{}, {} and is left for the next {}; {} count {} it", name,
      is_load ? "record" : "line", bytes, bytes == 1 ? "" : "s",
      is_load ? "may not be complete yet" : "does not end yet", is_load ? "load" : "run",
      setting_name("state-last-line"), is_load ? "loads" : "counts");
  const size_t more = left.size() - 1;
  if (more > 0) note += fmt::format("; {} more file{} alike", more, more == 1 ? " is" : "s are");
  return note;
}

// Leaves the last record to the next load, because a load cannot take it back if it grows. `end`:
// that of the last whole line.
void leave_last_record(const Program &program, const Plan &plan, i64 i, i64 end, Source *source,
                       std::vector<std::pair<std::string, i64>> *left) {
  const Result<i64> last = begin_of_last_record(program, plan, i, end);
  if (!last.is_ok() || *last >= source->end) return;  // its reader complains
  left->emplace_back(source->name(), source->end - *last);
  source->end = *last;
}

}  // namespace

bool counts_last_line(const KeepSpec &keep, const Source &source) {
  if (keep.last_line != KeepSpec::LastLine::automatic) {
    return keep.last_line == KeepSpec::LastLine::count;
  }
  return is_rotated(source.path);
}

void plan_last_lines(const Program &program, const CutBytes &ends_of_records, Plan *plan) {
  if (!plan->state && !program.follows) return;
  std::vector<std::pair<std::string, i64>> left;
  for (i64 i = 0; i < std::ssize(plan->sources); ++i) {
    Source &source = plan->sources[static_cast<size_t>(i)];
    if (source.stream || source.is_known || source.fresh() >= source.end) continue;
    const Result<i64> end = end_of_whole_records(ends_of_records, *plan, i);
    if (!end.is_ok()) continue;  // its reader complains
    const bool counts = plan->state && counts_last_line(program.keep, source);
    if (!program.keep.loads_into.empty()) {
      if (!counts) leave_last_record(program, *plan, i, *end, &source, &left);
      continue;
    }
    if (*end < source.end && !counts) {
      if (plan->state) left.emplace_back(source.name(), source.end - *end);
      source.end = *end;
    }
    const Result<i64> kept = begin_of_last_record(program, *plan, i, *end);
    if (!kept.is_ok() || *kept >= source.end) continue;
    if (program.follows && *kept < *end) {
      source.end = *kept;  // as if the record arrived later: it may go on
    } else if (plan->state) {
      count_last_line(program.keep, *kept, &source);
    }
  }
  if (!left.empty()) plan->notes.push_back(note_on_last_lines(program.keep, left));
}

void plan_kept(const Program &program, Plan *plan) {
  if (program.keep.path.empty()) return;
  KeptInputs *const kept = open(program, plan);
  if (kept == nullptr) return;
  plan->problem = kept->identify(&plan->sources, &plan->notes);
  if (!plan->problem.is_ok()) static_cast<void>(kept->give_up());
  if (program.keep.tile_bytes > 0) return;  // plan_content_tiles() adds the decision
  plan->decisions.push_back({program.keep.is_checkpoint ? "resume" : "state", known_of(*kept),
                             "they are not read again"});
}

void check_readings(const Program &program, Plan *plan) {
  if (!plan->state) return;
  const bool is_load = !program.keep.loads_into.empty();
  for (i64 i = 0; i < std::ssize(plan->sources); ++i) {
    Source &source = plan->sources[static_cast<size_t>(i)];
    if (!plan->state->was_read_otherwise(i, reading_of(*plan, i))) continue;
    plan->notes.push_back(
        fmt::format("{}: its records are read otherwise than they were: {}", source.name(),
                    is_load ? "what is loaded of it stays as it is" : "all is read again"));
    if (is_load) continue;
    count_input(source, -1, plan);
    plan->state->read_again(i, &source);
    count_input(source, 1, plan);
  }
}

void plan_content_tiles(const Program &program, const CutBytes &ends_of_records, Plan *plan) {
  if (!plan->state || !plan->state->has_content_tiles()) return;
  std::vector<CutFile> files;
  std::vector<i64> numbers;
  for (i64 i = 0; i < std::ssize(plan->sources); ++i) {
    const Source &source = plan->sources[static_cast<size_t>(i)];
    if (source.stream || source.is_known || source.end == 0) continue;
    files.push_back(file_to_cut(program, *plan, i));
    numbers.push_back(i);
  }
  cut_by_content(ends_of_records, program.keep.tile_bytes, plan->state->hash(),
                 program.threads.value_or(available_cpus()), &files);
  for (size_t k = 0; k < files.size(); ++k) take_tiles(files[k], numbers[k], plan);
  const TileIndex &index = plan->state->tile_index();
  plan->decisions.push_back({"state",
                             fmt::format("{}; {} tiles found again, {} to map",
                                         known_of(*plan->state), index.found(), index.missing()),
                             "tiles of the same content are not mapped"});
}

}  // namespace mrc
