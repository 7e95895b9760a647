#include "engine/sinks/partials.h"

#include "kept/merge_partials.h"
#include "reduce/sealed_groups.h"

#include <algorithm>
#include <functional>
#include <span>
#include <utility>

namespace mrc {
namespace {

constexpr i64 kAsManyKeysAsCanBe = INT64_MAX;  // even if few: all partials have the same partitions

}  // namespace

PartialGroups::PartialGroups(Run *run, const StateLayout &layout)
    : run_(*run),
      whole_(layout.aggregation()),
      piece_(run),
      groups_(static_cast<size_t>(run->pool.size())) {}

SealedGroups *PartialGroups::begin_sealing(i64 worker) {
  auto &groups = groups_[static_cast<size_t>(worker)];
  groups = std::make_unique<SealedGroups>(whole_, kAsManyKeysAsCanBe, 0, run_.plan.tmpdir,
                                          run_.worker_share() / 3);
  return groups.get();
}

// Sorts one partition on each worker, then writes these partitions in order, and so on.
Status PartialGroups::write_states(RunWriter *writer, PartitionSet *made) {
  std::erase(groups_, nullptr);
  if (groups_.empty()) return Status::ok();
  using Blocks = std::vector<SealedBlock>;
  WorkerPool &pool = run_.pool;
  for (i64 first = 0; first < kPartialPartitions; first += pool.size()) {
    const i64 count = std::min(pool.size(), kPartialPartitions - first);
    std::vector<Blocks> sorted(static_cast<size_t>(count));
    Status status = pool.run_each(count, [&](i64 i) {
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

Status PartialGroups::write(OutputFile *to) {
  const auto add_states = [this](RunWriter *writer, PartitionSet *made) {
    return write_states(writer, made);
  };
  return piece_.write(whole_.state_bytes(), {}, add_states, to);
}

namespace {

constexpr i64 kRecordsOfBlock = i64{64} << 10;

// Returns the splitters of the program's list of units, or of the merged partials.
std::vector<std::string> splitters_of(const PartialSpec &spec) {
  if (spec.merged != nullptr) return spec.merged->whole.ranges->splitters;
  return spec.listed != nullptr ? spec.listed->splitters : std::vector<std::string>();
}

// Makes blocks of ordered rows. No block has rows of two ranges.
class RowBlocks {
 public:
  using Take = std::function<Status(SealedBlock block)>;
  RowBlocks(const KeyRanges &ranges, const RowLayout &layout, Take take)
      : ranges_(ranges), layout_(layout), take_(std::move(take)) {}

  Status add(std::span<const Row> rows) {
    for (const Row &row : rows) {
      const i64 range = is_first_ ? ranges_.range_of(row) : ranges_.range_from(range_, row);
      is_first_ = false;
      if (range != range_ || std::ssize(records_) >= kRecordsOfBlock) {
        if (Status status = end_block(); !status.is_ok()) return status;
      }
      range_ = range;
      append(row);
    }
    return Status::ok();
  }

  // Writes the block that was begun. Call it after the last row, too.
  Status end_block() {
    if (count_ == 0) return Status::ok();
    const BlockInfo info{.order = RunOrder::raw,
                         .partition_bits = kPartialBits,
                         .partition = range_,
                         .records = std::exchange(count_, 0),
                         .lo = hash(),
                         .hi = hash()};
    return take_({info, std::exchange(records_, {})});
  }

 private:
  // The partition of a row is its block's, and the hash must agree with it.
  u64 hash() const { return static_cast<u64>(range_) << (64 - kPartialBits); }

  void append(const Row &row) {
    const State *state = layout_.lines ? nullptr : layout_.state(row);
    append_record({0, layout_.state_bytes}, {hash(), layout_.key(row), true, state, {}}, &records_);
    ++count_;
  }

  const KeyRanges &ranges_;
  const RowLayout &layout_;
  const Take take_;
  bool is_first_ = true;
  i64 range_ = 0, count_ = 0;
  std::string records_;
};

Status add_blocks_of(RowSource *rows, i64 block, RowBlocks *to) {
  Status added = Status::ok();
  Status shown = rows->show(block, [&](std::span<const Row> some) {
    added = to->add(some);
    return added.is_ok();
  });
  if (shown.is_ok()) shown = added;
  return shown.is_ok() ? to->end_block() : shown;
}

}  // namespace

PartialRows::PartialRows(Run *run, const OrderedRows &rows)
    : run_(*run),
      layout_(rows.layout()),
      ranges_(splitters_of(run->program.partial), rows.order(), rows.layout()),
      piece_(run) {}

// Holds in memory as many blocks of the source as there are workers, or pieces of its only block.
// The first range is written even without rows, as the header precedes it.
Status PartialRows::write_rows(RowSource *rows, RunWriter *writer, PartitionSet *made) const {
  made->set(0);
  const auto write_block = [&](const SealedBlock &block) {
    made->set(static_cast<size_t>(block.info.partition));
    return writer->add_block(block.info, block.records);
  };
  if (rows->blocks() == 1) {
    RowBlocks blocks(ranges_, layout_, write_block);
    return add_blocks_of(rows, 0, &blocks);
  }
  for (i64 first = 0; first < rows->blocks(); first += run_.pool.size()) {
    const i64 count = std::min(run_.pool.size(), rows->blocks() - first);
    std::vector<std::vector<SealedBlock>> made_of(static_cast<size_t>(count));
    Status status = run_.pool.run_each(count, [&](i64 i) {
      RowBlocks blocks(ranges_, layout_, [&, i](SealedBlock block) {
        made_of[static_cast<size_t>(i)].push_back(std::move(block));
        return Status::ok();
      });
      return add_blocks_of(rows, first + i, &blocks);
    });
    for (const std::vector<SealedBlock> &blocks : made_of) {
      for (const SealedBlock &block : blocks) {
        if (status.is_ok()) status = write_block(block);
      }
    }
    if (!status.is_ok()) return status;
  }
  return Status::ok();
}

Status PartialRows::write(RowSource *rows, OutputFile *to) {
  const auto add_rows = [&](RunWriter *writer, PartitionSet *made) {
    return write_rows(rows, writer, made);
  };
  PartialRanges ranges{run_.program.order.limit, splitters_of(run_.program.partial)};
  return piece_.write(layout_.state_bytes, std::move(ranges), add_rows, to);
}

Status adopt_partials(Run *run, OrderedRows *rows) {
  const MergedPartials &merged = *run->program.partial.merged;
  for (const MergedPartials::Stretch &stretch : merged.stretches) {
    for (const BlockInfo &block : stretch.blocks) run->report.merged_states += block.records;
  }
  return run->pool.run_each(std::ssize(merged.stretches), [&](i64 i) {
    const MergedPartials::Stretch &stretch = merged.stretches[static_cast<size_t>(i)];
    return rows->adopt(stretch.file.get(), stretch.blocks, stretch.shift.value_or(0));
  });
}

}  // namespace mrc
