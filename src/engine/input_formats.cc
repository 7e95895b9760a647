#include "engine/inner/input_formats.h"

#include "base/make_error.h"
#include "base/setting_name.h"
#include "engine/inner/gather_groups.h"
#include "engine/inner/kept_inputs.h"
#include "engine/inner/plan_steps.h"
#include "fields/headers.h"
#include "fields/inspect.h"
#include "fields/json.h"
#include "fields/spread.h"
#include "input/collection.h"
#include "input/folders.h"
#include "input/whole_input.h"
#include "sched/sched.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

// True if several lines may form one record. Lines of JSON that is followed are records.
bool may_join_lines(const Program &program, const FormatSpec &spec) {
  return !program.follows || spec.format == nullptr || !spec.format->paths;
}

// Detects the dialect of an input. What is kept of an input, or there when it is followed, ends
// after a line, which may be inside a value of JSON that has several lines: these are read as lines
// then. `name`: begins an error about the input, unless the caller adds the name.
Result<Dialect> sniff_for(const Program &program, FormatSpec spec, Bytes head, bool whole,
                          const std::string &name = "") {
  Result<Dialect> dialect = sniff(spec, head, whole);
  const bool is_cut = dialect.is_ok() && (program.follows || !program.keep.path.empty());
  if (!is_cut || json_layout(*dialect) == JsonLayout::lines) return dialect;
  // In one line, the object would be a record without the fields of its elements.
  if (json_layout(*dialect) == JsonLayout::member) {
    return Status::error(name +
                         "its records are the elements of an array in an object, and what grows is "
                         "read by lines; jq -c '.[][]' prints an element in each line");
  }
  spec.joins_lines = false;
  return sniff(spec, head, whole);
}

// Drops a line that is still being written: it is not read yet, and shows nothing about the format.
void leave_partial_line(char terminator, SniffedHead *seen) {
  if (seen->whole) seen->bytes = seen->bytes.substr(0, seen->bytes.rfind(terminator) + 1);
}

// True if these records show the format of the input: a header alone does not.
bool tells_format(Bytes records, char terminator) {
  return std::count(records.begin(), records.end(), terminator) >= 2;
}

// Returns an error if a file of a directory has other fields than the first one.
Status check_fields(const JoinSpec &spec, Side side, const JoinSide &of_file, const JoinSide &first,
                    const Source &file) {
  if (std::ranges::equal(of_file.fields, first.fields, {}, &FieldExpr::text, &FieldExpr::text)) {
    return Status::ok();
  }
  return Status::error(
      fmt::format("{}: its fields are not those of the first file; say which to print with {}",
                  file.name(), setting_name(setting_of_fields(spec, side))));
}

// Sets which fields a join reads and prints of an input. An empty input, such as a log that was
// just rotated, has the fields that the user has named.
Status plan_side(i64 source, const Source &of, Dialect dialect, const SniffedHead &head, Join *join,
                 InputReaders *readers) {
  const Side side = join->spec.side_of(source);
  std::optional<std::vector<FieldExpr>> &fields = join->spec.inputs[side].fields;
  if (dialect.empty) {
    dialect.open = false;
    dialect.names = join->spec.inputs[side].format.columns;
    if (!fields && dialect.names.empty()) fields.emplace();
  } else if (prints_as_found(join->spec, side) && !dialect.open && dialect.names.empty()) {
    dialect.most_fields = most_fields(dialect, head.bytes, head.whole);
  }
  Result<JoinSide> made = join_side(join->spec, side, &dialect, of.name());
  if (!made.is_ok()) return made.status();
  const bool is_first = source == 0 || source == join->spec.left_sources;
  if (!is_first) {
    if (Status status = check_fields(join->spec, side, *made, join->sides[side], of);
        !status.is_ok())
      return status;
  }
  join->sides[side] = std::move(*made);
  readers->want(source, join->sides[side].wanted().names(), dialect.most_fields);
  return Status::ok();
}

// Returns the format that was detected when units were listed; null: detect it here.
const Dialect *listed_dialect(const Program &program, i64 source) {
  if (!program.partial.listed) return nullptr;
  const auto &input = program.partial.listed->inputs[static_cast<size_t>(source)];
  return input.dialect ? &*input.dialect : nullptr;
}

// Sets the reader of a file. The worker that claims its splits reports read errors.
Status adopt_file(const Program &program, const Plan &plan, Source *file, i64 source, Join *join,
                  InputReaders *readers) {
  Source &of = *file;
  if (const Dialect *listed = listed_dialect(program, source)) return readers->set(source, *listed);
  const FormatSpec spec = sniffed_format_of(program, source);
  const bool is_empty = of.end == of.begin;
  const bool needs = needs_head(spec) ||
                     (join != nullptr && prints_as_found(join->spec, join->spec.side_of(source)));
  Result<Head> head = Head{.whole = is_empty && !of.followed};
  if (needs && !is_empty) {  // (an empty pipe would be opened again)
    head = read_head(of, [&](const Head &read) {
      return sniffed_head(read.bytes, read.whole, spec).has_value();
    });
    if (!head.is_ok()) head = Head{.whole = true};
  }
  SniffedHead seen{head->bytes, head->whole};
  if (needs) seen = sniffed_head(seen.bytes, seen.whole, spec).value_or(seen);
  const bool leaves_line = of.followed || (plan.state && !counts_last_line(program.keep, of));
  if (leaves_line) leave_partial_line(spec.terminator, &seen);
  if (of.followed && needs_head(spec) && !tells_format(seen.bytes, spec.terminator)) {
    of.end = of.begin;  // as if it arrived later
    return Status::ok();
  }
  Result<Dialect> dialect = sniff_for(program, spec, seen.bytes, seen.whole, of.name() + ": ");
  if (!dialect.is_ok()) return dialect.status();
  if (has_headers(*dialect) && !seen.whole) {
    find_headers(of, program.threads.value_or(available_cpus()), &*dialect);
  }
  if (join != nullptr) {
    Status status = plan_side(source, of, *dialect, seen, join, readers);
    if (!status.is_ok()) return status;
  }
  Status status = readers->set(source, *dialect);
  return status.is_ok() ? status : status.within(of.name());
}

// Reads the first bytes of a stream that can be opened again.
Result<Head> read_stream_head(const Program &program, const Source &of) {
  return read_head(of, [&](const Head &head) { return !wants_more(program, head.bytes); });
}

// Sets the reader of a compressed file that no worker has begun. A file that cannot be read is left
// to the worker that claims it.
Status adopt_packed(const Program &program, const Source &of, i64 source, InputReaders *readers) {
  if (of.codec == Codec::none || of.is_known || readers->of(source) != nullptr) return Status::ok();
  const Result<Head> head = read_stream_head(program, of);
  if (!head.is_ok()) return Status::ok();
  return adopt_stream(program, source, head->bytes, head->whole, readers);
}

// Sets the reader of a file that this process does not read: it may have the header that is
// printed. With a state, a file that cannot be read is left for the next run.
Status adopt_known(const Program &program, const Plan &plan, const Source &of, i64 source,
                   InputReaders *readers) {
  const Result<Head> head = read_stream_head(program, of);
  if (!head.is_ok()) return plan.state ? Status::ok() : head.status();
  return adopt_stream(program, source, head->bytes, head->whole, readers);
}

Result<Dialect> sniff_head(const Program &program, const FormatSpec &spec, Bytes head, bool whole) {
  const SniffedHead seen = sniffed_head(head, whole, spec).value_or(SniffedHead{head, false});
  return sniff_for(program, spec, seen.bytes, seen.whole);
}

// Plans an input of a join that is a stream. If the user does not name its fields, they must be
// known now. spool_join() has replaced pipes whose first bytes determine them by files.
Status plan_stream_side(const Program &program, const Source &of, i64 source, Join *join,
                        InputReaders *readers) {
  const FormatSpec spec = sniffed_format_of(program, source);
  const Side side = program.join->side_of(source);
  if (!program.join->prints_all(side)) return plan_side(source, of, {}, {}, join, readers);
  Result<Head> head = Head();
  if ((needs_head(spec) || prints_as_found(*program.join, side)) && of.codec != Codec::none) {
    head = read_stream_head(program, of);
    if (!head.is_ok()) return head.status();
  }
  Result<Dialect> dialect = sniff_head(program, spec, head->bytes, head->whole);
  if (!dialect.is_ok()) return dialect.status();
  return plan_side(source, of, *dialect, {head->bytes, head->whole}, join, readers);
}

// True if records are printed as they are, after the header of the input.
bool prints_header_of_records(const Program &program) {
  const Makes makes = program.stage->makes;
  const bool are_whole = makes == Makes::records || program.shape.records_part >= 0 ||
                         (makes == Makes::text && program.map.fields.keys.empty());
  return are_whole && program.shape.header;
}

// True if an input that this process does not read, because an earlier run has or worker processes
// do, may have the header that is printed.
bool may_have_header(const Program &program, const Plan &plan, const Source &source) {
  const bool is_packed = source.codec != Codec::none;
  const bool is_resumed = source.is_known && plan.checkpoint && is_packed;
  const bool prints_records =
      program.stage->makes == Makes::records || program.shape.records_part >= 0;
  const bool is_gone = source.argument < 0;
  const bool is_kept = source.is_known && plan.state && prints_records && !is_gone;
  const bool is_of_workers = source.stream && program.isolation.is_wanted && is_packed;
  return (is_resumed || is_kept || is_of_workers) && program.stage->makes != Makes::text &&
         program.shape.header && plan.readers->first_with_header() < 0;
}

}  // namespace

namespace {

// Workers share the rows of a collection in parts, so that they have no places in order.
Status check_places(const Program &program, const Source &source) {
  const auto &running = program.map.fields.running;
  for (const PlaceIn place : {PlaceIn::records, PlaceIn::lines}) {
    if (running == nullptr || running->place(place) == nullptr) continue;
    return make_error("{}: {} have no places in a file; row() numbers all rows",
                      running->place(place)->name.text, source.collection->what());
  }
  return Status::ok();
}

// Sets the reader of a compressed file if it is chance whether a worker begins it, because the
// answer may be whole before: its format may be a problem, as that of a file is.
Status adopt_wanted_or_not(const Program &program, const Source &of, i64 source,
                           InputReaders *readers) {
  if (is_read_once(of) || !program.stage->make(program)->is_limited()) return Status::ok();
  Status status = adopt_packed(program, of, source, readers);
  return status.is_ok() ? status : status.within(of.name());
}

// Sets the reader of an input, unless that is known only when it is read.
Status plan_format(const Program &program, const Plan &plan, Source *source, i64 i, Join *join,
                   InputReaders *readers) {
  if (const std::optional<Dialect> rows = dialect_of_part(program, *source)) {
    Status status = check_places(program, *source);
    if (status.is_ok() && join != nullptr) status = plan_side(i, *source, *rows, {}, join, readers);
    if (status.is_ok()) status = readers->set(i, *rows);
    return status.is_ok() ? status : status.within(source->name());
  }
  if (join != nullptr && source->stream) {
    return plan_stream_side(program, *source, i, join, readers);
  }
  if (may_have_header(program, plan, *source)) {
    return adopt_known(program, plan, *source, i, readers);
  }
  if (source->is_known) return Status::ok();
  if (source->stream) return adopt_wanted_or_not(program, *source, i, readers);
  return adopt_file(program, plan, source, i, join, readers);
}

}  // namespace

namespace {

// Returns the fields of the folders of inputs, and their names; null: records have none of these.
// Fields of `sparse` are missing in inputs whose records do not have them.
std::shared_ptr<const FolderFields> folders_of(const std::vector<Source> &sources, bool are_named,
                                               const std::vector<std::string> &sparse) {
  auto folders = std::make_shared<FolderFields>();
  bool any = are_named || !sparse.empty();
  for (const Source &source : sources) {
    std::vector<std::pair<std::string, std::optional<std::string>>> fields;
    for (FolderField &field : folder_fields(source.path)) {
      fields.emplace_back(std::move(field.name), std::move(field.value));
    }
    any |= !fields.empty();
    for (const std::string &name : sparse) fields.emplace_back(name, std::nullopt);
    folders->add(source.path, fields);
  }
  return any ? folders : nullptr;
}

}  // namespace

// A join needs the fields of an input even if all of it was kept.
void plan_formats(const Program &program, Plan *plan) {
  if (program.map.records != MapSpec::Records::fields) return;
  const Spread &spread = program.map.fields.format.spread;
  const WantedFields wanted = program.map.fields.wanted();
  const auto &running = program.map.fields.running;
  const bool names_inputs =
      program.join || wanted.have_input_name() || (running && running->wanted().have_input_name());
  const auto readers = std::make_shared<InputReaders>(
      std::ssize(plan->sources), wanted.names(), program.lookups,
      folders_of(plan->sources, names_inputs, program.sparse), spread);
  if (running) readers->read_first(running->wanted().names(), running->names());
  plan->readers = readers;
  const bool has_header = prints_header_of_records(program);
  if (has_header && program.hands_over) readers->share_header();
  const auto join = program.join ? std::make_shared<Join>(Join{*program.join, {}, {}}) : nullptr;
  plan->join = join;
  for (i64 i = 0; i < std::ssize(plan->sources); ++i) {
    Source whole;
    Source *source = &plan->sources[static_cast<size_t>(i)];
    if (join && plan->state) source = &(whole = plan->state->found(i));
    const Status status = plan_format(program, *plan, source, i, join.get(), readers.get());
    if (status.is_ok()) continue;
    plan->problem = join ? status : first_problem(program, *plan, i, status, readers.get());
    return;
  }
  note_formats(has_header, plan);
  explain_formats(spread, plan);
}

Status adopt_stream(const Program &program, i64 source, Bytes head, bool whole,
                    InputReaders *readers) {
  if (const Dialect *listed = listed_dialect(program, source)) return readers->set(source, *listed);
  if (readers->of(source) != nullptr) return Status::ok();  // its format was known before
  Result<Dialect> dialect = sniff_head(program, sniffed_format_of(program, source), head, whole);
  if (!dialect.is_ok()) return dialect.status();
  return readers->set(source, *dialect);
}

Status first_problem(const Program &program, const Plan &plan, i64 source, const Status &problem,
                     InputReaders *readers) {
  for (i64 i = 0; i < source; ++i) {
    const Source &of = plan.sources[static_cast<size_t>(i)];
    Status status = adopt_packed(program, of, i, readers);
    if (!status.is_ok()) return status.within(of.name());
  }
  return problem;
}

Result<Dialect> dialect_of_packed(const Program &program, const Source &of, i64 source) {
  const Result<Head> head = read_stream_head(program, of);
  if (!head.is_ok()) return head.status();
  return sniff_head(program, sniffed_format_of(program, source), head->bytes, head->whole);
}

bool prints_as_found(const JoinSpec &spec, Side side) {
  return spec.prints_all(side) && spec.inputs[side].format.columns.empty();
}

Content content_of(const Program &program, i64 source) {
  return content_of(std::max(program.map.record_bytes, format_of(program, source).record_bytes));
}

bool takes_binary(const Program &program, i64 source) {
  const bool are_lines = program.map.records == MapSpec::Records::fields &&
                         format_of(program, source).format == &LineFormat::lines;
  const bool splits_bytes = program.plugin && !program.plugin->reads_fields();
  return splits_bytes || program.map.takes_binary || program.map.terminator != '\n' ||
         content_of(program, source) == Content::binary || are_lines || program.partial.merged;
}

const FormatSpec &format_of(const Program &program, i64 source) {
  return program.join ? program.join->inputs[program.join->side_of(source)].format
                      : program.map.fields.format;
}

namespace {

FormatSpec named_format_of(const Program &program, i64 source) {
  if (!program.join) return program.map.fields.sniffed_format();
  const JoinInput &input = program.join->inputs[program.join->side_of(source)];
  const std::vector<FieldExpr> none;
  const JoinSide side{input.keys, input.fields ? *input.fields : none, input.filter};
  FormatSpec spec = format_for(input.format, side.wanted().names());
  spec.largest_number = 0;  // a line is a field of a join
  return spec;
}

}  // namespace

FormatSpec sniffed_format_of(const Program &program, i64 source) {
  FormatSpec spec = named_format_of(program, source);
  spec.joins_lines = may_join_lines(program, spec);
  return spec;
}

namespace {

// True if the first bytes do not show the format. If the user has named JSON, the first line of a
// stream is enough, provided that it is a record.
bool needs_more(const Program &program, FormatSpec spec, Bytes head) {
  spec.joins_lines = may_join_lines(program, spec);
  spec.terminator = program.map.terminator;
  if (!needs_head(spec) || sniffed_head(head, false, spec)) return false;
  return spec.format != &LineFormat::json || wants_more_json(head);
}

}  // namespace

bool wants_more(const Program &program, Bytes head) {
  if (needs_more(program, program.map.fields.format, head)) return true;
  return program.join && needs_more(program, program.join->inputs[kRight].format, head);
}

bool wants_more_records(const Program &program, Bytes head) {
  FormatSpec spec = program.map.fields.format;
  spec.joins_lines = may_join_lines(program, spec);
  return needs_head(spec) && !tells_format(head, spec.terminator) &&
         std::ssize(head) < kMostSniffedBytes;
}

}  // namespace mrc
