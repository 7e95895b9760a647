#include "engine/sinks/partial_groups.h"

#include "base/hash.h"
#include "engine/sinks/state_files.h"
#include "kept/merge_partials.h"
#include "kept/partial_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace mrc {
namespace {

constexpr i64 kManyKeys = INT64_MAX;  // partitions are the same however many keys there are
constexpr i64 kMostPieces = i64{1} << 18;

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

}  // namespace

PartialGroups::PartialGroups(Run *run, Aggregation aggregation)
    : run_(*run),
      whole_(std::move(aggregation)),
      hash_(kPartialBase),
      groups_(static_cast<size_t>(run->pool.size())) {}

void PartialGroups::add(std::vector<Covered> covered) {
  std::ranges::move(covered, std::back_inserter(covered_));
}

SealedGroups *PartialGroups::begin(i64 worker) {
  auto &groups = groups_[static_cast<size_t>(worker)];
  groups = std::make_unique<SealedGroups>(whole_, kManyKeys, 0, run_.plan.tmpdir,
                                          run_.worker_share() / 3);
  return groups.get();
}

// A unit that was not read to its end would be missing in the whole.
Status PartialGroups::check() const {
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
PartialPiece PartialGroups::describe_mapped() const {
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

Partial PartialGroups::describe(const PartitionSet &made) const {
  const PartialSpec &spec = run_.program.partial;
  if (spec.merged != nullptr) {
    Partial whole = spec.merged->whole;
    whole.mrc_version = spec.mrc_version;
    whole.job = spec.job;
    return whole;
  }
  Partial partial{spec.mrc_version, spec.digest, spec.job, {}, {}, {describe_mapped()}};
  PartialPiece &piece = partial.pieces.front();
  piece.made = piece.here = made;
  for (const Source &source : run_.plan.sources) partial.sources.push_back(source.path);
  const u64 id = spec.listed != nullptr ? spec.listed->id() : id_of(run_.plan.sources, piece.units);
  partial.tables.push_back({id, std::ssize(partial.sources)});
  return partial;
}

// Workers sort as many partitions as they are; these are written in their order.
Status PartialGroups::write_states(RunWriter *writer, PartitionSet *made) {
  std::erase(groups_, nullptr);
  if (groups_.empty()) return Status::ok();
  using Blocks = std::vector<SealedBlock>;
  for (i64 first = 0; first < kPartialPartitions; first += run_.pool.size()) {
    const i64 count = std::min(run_.pool.size(), kPartialPartitions - first);
    std::vector<Blocks> sorted(static_cast<size_t>(count));
    Status status = run_.pool.run_each(count, [&](i64 i) {
      Result<Blocks> blocks = SealedGroups::blocks_of(groups_, first + i);
      if (blocks.is_ok()) sorted[static_cast<size_t>(i)] = std::move(*blocks);
      return blocks.status();
    });
    for (const Blocks &blocks : sorted) {
      for (const SealedBlock &block : blocks) {
        if (status.is_ok()) status = writer->add_block(block.info, block.records);
        made->set(static_cast<size_t>(block.info.partition));
      }
    }
    if (!status.is_ok()) return status;
  }
  return Status::ok();
}

// A run is complete only when all is known: it goes out after that.
Status PartialGroups::write(OutputFile *to) {
  const Result<RunFile> file = RunFile::temporary(run_.plan.tmpdir);
  if (!file.is_ok()) return file.status();
  RunWriter writer(&*file,
                   {.plan = run_.program.partial.digest, .shape = {0, whole_.state_bytes()}});
  PartitionSet made;
  Status status = write_states(&writer, &made);
  if (status.is_ok()) status = finish_partial(describe(made), &writer);
  if (!status.is_ok()) return status;
  run_.report.sealed_bytes = writer.bytes();
  if (!run_.program.partial.as_lines) return copy(*file, writer.bytes(), to);
  return write_partial_lines(*file, [to](Bytes line) { return to->write(line); });
}

Status PartialGroups::copy(const RunFile &file, i64 bytes, OutputFile *to) const {
  std::string piece(static_cast<size_t>(kMostPieces), '\0');
  for (i64 at = 0; at < bytes;) {
    const i64 size = std::min(kMostPieces, bytes - at);
    const Result<i64> got = file.read(at, reinterpret_cast<std::byte *>(piece.data()), size);
    if (!got.is_ok()) return got.status();
    Status status = to->write(Bytes(piece).substr(0, static_cast<size_t>(*got)));
    if (!status.is_ok()) return status;
    at += *got;
  }
  return Status::ok();
}

Result<std::vector<std::unique_ptr<MapOutput>>> load_partials(Run *run, const StateLayout &layout,
                                                              const GroupSettings &settings) {
  const MergedPartials &merged = *run->program.partial.merged;
  using Stretch = MergedPartials::Stretch;
  std::vector<std::pair<const Stretch *, const BlockInfo *>> blocks;
  for (const Stretch &stretch : merged.stretches) {
    for (const BlockInfo &block : stretch.blocks) {
      blocks.emplace_back(&stretch, &block);
      run->report.merged_states += block.records;
    }
  }
  const auto load_one = [&](i64 i, GroupWorker *into) {
    const auto &[stretch, block] = blocks[static_cast<size_t>(i)];
    Pages buffer;
    const Result<Bytes> records =
        read_block(*stretch->file, {0, layout.state_bytes()}, *block, &buffer);
    if (!records.is_ok()) return records.status();
    into->load(*records, stretch->shift.value_or(0));
    return into->relieve();
  };
  std::vector<std::unique_ptr<MapOutput>> outputs;
  Status status =
      StateFiles(run, layout).load_all(std::ssize(blocks), load_one, settings, &outputs);
  if (!status.is_ok()) return status;
  return outputs;
}

}  // namespace mrc
