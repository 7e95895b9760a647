#include "engine/sinks/mapped_piece.h"

#include "base/hash.h"
#include "fields/input_readers.h"
#include "kept/merge_partials.h"
#include "kept/partial_reader.h"

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

// What tells sources of a run from those of others: their names, and what was read of them.
u64 id_of(const std::vector<Source> &sources, const std::vector<PartialUnit> &units) {
  std::string text;
  for (const Source &source : sources)
    text += fmt::format("{} {}\n", source.path.size(), source.path);
  for (const PartialUnit &unit : units) {
    text += fmt::format("{} {} {} {}\n", unit.source, unit.begin, unit.end, unit.content);
  }
  return checksum_bytes(text);
}

// What the header of an input with this dialect is made of.
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
  std::ranges::move(notes.covered_, std::back_inserter(covered_));
}

// A unit that was not read to its end would be missing in the whole.
Status MappedPiece::check() const {
  if (run_.program.partial.listed == nullptr) return Status::ok();
  const std::vector<Covered> all = joined(covered_);
  for (const PartialUnit &unit : run_.program.partial.units) {
    const Source &source = run_.plan.sources[static_cast<size_t>(unit.source)];
    const auto is_in = [&](const Covered &covered) {
      return covered.source == unit.source && covered.begin <= unit.begin &&
             covered.end >= unit.end;
    };
    const bool has_bytes = source.codec == Codec::none && unit.end > unit.begin;
    const bool is_lost =
        run_.damaged.contains(source.path) || (has_bytes && !std::ranges::any_of(all, is_in));
    if (!is_lost) continue;
    return Status::error(
        fmt::format("{}: unit {} could not be read as a whole; it is to be "
                    "mapped again where it can be",
                    source.name(), unit.number));
  }
  return Status::ok();
}

// The run's own piece. Units that were listed have numbers; else each input is one.
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
  const std::vector<Covered> all = joined(covered_);
  if (spec.listed != nullptr) {
    piece.units = spec.units;
    for (PartialUnit &unit : piece.units) {
      const bool ends_here = unit.end == unit.begin;  // so much has its command printed
      for (const Covered &covered : all) {
        if (covered.source != unit.source) continue;
        unit.content = ContentHash::join(unit.content, covered.content);
        if (ends_here) unit.end = covered.end;
      }
    }
    return piece;
  }
  for (i64 source = 0; source < std::ssize(run_.plan.sources); ++source) {
    PartialUnit unit{source, source};
    for (const Covered &covered : all) {
      if (covered.source != source) continue;
      unit.begin = std::min(unit.begin, covered.begin);
      unit.end = covered.end;
      unit.content = ContentHash::join(unit.content, covered.content);
    }
    piece.units.push_back(unit);
  }
  return piece;
}

// Units of a list have the header that the list says, whichever of them are mapped here.
std::optional<Dialect> MappedPiece::header() const {
  const bool prints_records =
      run_.program.stage == &kSortStage || run_.program.shape.records_part >= 0;
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

// Lines are made of a run, as each of them says what only its end does.
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
