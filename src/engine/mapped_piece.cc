#include "base/hash.h"
#include "engine/sinks/partials.h"
#include "fields/input_readers.h"
#include "kept/merge_partials.h"
#include "kept/partial.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

namespace mrc {
namespace {

Status write_all(std::span<const Bytes> pieces, OutputFile *to) {
  for (const Bytes piece : pieces) {
    if (Status status = to->write(piece); !status.is_ok()) return status;
  }
  return Status::ok();
}

// Returns an identity for the sources of a run: a hash of their names and of the bytes read.
u64 id_of(const std::vector<Source> &sources, const std::vector<PartialUnit> &units) {
  std::string text;
  for (const Source &source : sources)
    text += fmt::format("{} {}\n", source.path.size(), source.path);
  for (const PartialUnit &unit : units) {
    text += fmt::format("{} {} {} {}\n", unit.source, unit.begin, unit.end, unit.content);
  }
  return checksum_bytes(text);
}

// Returns the members of a dialect that determine the header.
std::optional<Dialect> header_of(const Dialect &dialect) {
  return Dialect{.format = dialect.format,
                 .delimiter = dialect.delimiter,
                 .terminator = dialect.terminator,
                 .header = true,
                 .names = dialect.names};
}

}  // namespace

void MappedPiece::add(Notes notes) {
  const std::lock_guard lock(run_.mutex);
  std::ranges::move(notes.portions_, std::back_inserter(portions_));
}

// A listed unit that was not read to its end would be missing in the merged answer.
Status MappedPiece::check() const {
  if (run_.program.partial.listed == nullptr) return Status::ok();
  const std::vector<Portion> all = joined(portions_);
  for (const PartialUnit &unit : run_.program.partial.units) {
    const Source &source = run_.plan.sources[static_cast<size_t>(unit.source)];
    const auto is_read = [&](const Portion &part) {
      return std::ranges::any_of(all, [&](const Portion &portion) {
        return portion.source == part.source && portion.begin <= part.begin &&
               portion.end >= part.end;
      });
    };
    const bool has_bytes = source.codec == Codec::none && unit.end > unit.begin;
    const bool is_whole =
        !has_bytes || std::ranges::all_of(run_.program.partial.listed->parts_of(unit), is_read);
    if (is_whole && !run_.damaged.contains(source.path)) continue;
    return Status::error(
        fmt::format("{}: unit {} could not be read as a whole; it is to be "
                    "mapped again where it can be",
                    source.name(), unit.number));
  }
  return Status::ok();
}

// Describes the run's own piece. Its units are those of the unit list, or else one for each input.
PartialPiece MappedPiece::describe_mapped() const {
  const PartialSpec &spec = run_.program.partial;
  const Report &report = run_.report;
  PartialPiece piece;
  piece.records = report.read_records;
  piece.used = report.used_records;
  piece.bad_records = {report.bad_records, report.first_bad_at, report.first_bad};
  piece.bad_values = {report.bad_values, report.first_bad_value_at, report.first_bad_value};
  piece.unread = run_.plan.unreadable;
  for (const std::string &name : run_.damaged) {
    piece.unread.push_back(name + ": could not be read to its end");
  }
  lines_.each([&](u64 position, i64 ends) { piece.lines.push_back({position, ends}); });
  const std::vector<Portion> all = joined(portions_);
  if (spec.listed != nullptr) {
    piece.units = spec.units;
    for (PartialUnit &unit : piece.units) {
      const bool ends_here = unit.end == unit.begin;  // the size of a command's output was unknown
      for (const Portion &portion : all) {
        if (portion.source != unit.source) continue;
        unit.content = ContentHash::join(unit.content, portion.content);
        if (ends_here) unit.end = portion.end;
      }
    }
    return piece;
  }
  for (i64 source = 0; source < std::ssize(run_.plan.sources); ++source) {
    PartialUnit unit{source, source};
    for (const Portion &portion : all) {
      if (portion.source != source) continue;
      unit.begin = std::min(unit.begin, portion.begin);
      unit.end = portion.end;
      unit.content = ContentHash::join(unit.content, portion.content);
    }
    piece.units.push_back(unit);
  }
  return piece;
}

// Returns the header of the records, if they are printed. For listed units it is the header in the
// list, whichever units this run maps.
std::optional<Dialect> MappedPiece::header() const {
  const bool prints_records =
      run_.program.stage->makes == Makes::records || run_.program.shape.records_part >= 0;
  if (run_.readers == nullptr || !prints_records) return {};
  if (const auto &listed = run_.program.partial.listed) {
    const auto with_header = std::ranges::find_if(listed->inputs, [](const UnitList::Input &input) {
      return input.dialect && input.dialect->header;
    });
    if (with_header == listed->inputs.end()) return {};
    return header_of(*with_header->dialect);
  }
  const i64 source = run_.readers->first_with_header();
  return source < 0 ? std::nullopt : header_of(*run_.readers->dialect(source));
}

Partial MappedPiece::describe(const PartitionSet &made) const {
  const PartialSpec &spec = run_.program.partial;
  if (spec.merged != nullptr) {
    Partial whole = spec.merged->whole;
    whole.mrc_version = spec.mrc_version;
    whole.job = spec.job;
    return whole;
  }
  Partial partial{.mrc_version = spec.mrc_version,
                  .digest = spec.digest,
                  .job = spec.job,
                  .pieces = {describe_mapped()}};
  PartialPiece &piece = partial.pieces.front();
  piece.made = piece.here = made;
  for (const Source &source : run_.plan.sources) partial.sources.push_back(source.path);
  const u64 id = spec.listed != nullptr ? spec.listed->id() : id_of(run_.plan.sources, piece.units);
  const i64 units = spec.listed != nullptr ? std::ssize(spec.listed->units) : 0;
  partial.tables.push_back({id, std::ssize(partial.sources), units, header()});
  return partial;
}

Status MappedPiece::write_run(RunWriter *writer, std::optional<PartialRanges> ranges,
                              const AddStates &add_states) {
  PartitionSet made;
  Status status = add_states(writer, &made);
  if (!status.is_ok()) return status;
  Partial partial = describe(made);
  partial.ranges = std::move(ranges);
  status = finish_partial(partial, writer);
  run_.report.sealed_bytes = writer->bytes();
  return status;
}

// Lines are made from a complete run, because each of them repeats data that is at its end.
Status MappedPiece::write(i64 state_bytes, std::optional<PartialRanges> ranges,
                          const AddStates &add_states, OutputFile *to) {
  const RunHeader header{.plan = run_.program.partial.digest, .shape = {0, state_bytes}};
  if (!run_.program.partial.as_lines) {
    RunWriter writer([to](i64, std::span<const Bytes> pieces) { return write_all(pieces, to); },
                     header);
    return write_run(&writer, std::move(ranges), add_states);
  }
  const Result<RunFile> file = RunFile::temporary(run_.plan.tmpdir);
  if (!file.is_ok()) return file.status();
  RunWriter writer(&*file, header);
  Status status = write_run(&writer, std::move(ranges), add_states);
  if (!status.is_ok()) return status;
  return write_partial_lines(*file, [to](Bytes line) { return to->write(line); });
}

}  // namespace mrc
