#include "engine/sinks/join_sides.h"

#include "engine/inner/sample.h"
#include "engine/sinks/join_parts.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

bool is_file(const Source &source) { return !source.stream && source.codec == Codec::none; }

// The bytes of the files of a side, if all are known.
struct SideSize {
  bool is_known = true;
  i64 bytes = 0;
};
SideSize size_of(const Plan &plan, Side side) {
  SideSize size;
  for (i64 i = 0; i < std::ssize(plan.sources); ++i) {
    if (plan.join->spec.side_of(i) != side) continue;
    const Source &source = plan.sources[static_cast<size_t>(i)];
    size.is_known &= is_file(source);
    size.bytes += source.end - source.begin;
  }
  return size;
}

bool is_much_smaller(i64 bytes, i64 others) { return bytes * 4 < others; }

}  // namespace

i64 table_share(const JoinSpec &spec, Side side) { return spec.stable && side == kRight ? 5 : 16; }

// Reads RIGHT first if only some rows are wanted, which come soonest with a table of RIGHT, or if
// malformed records are kept, as those of RIGHT come first.
Side first_side(const Program &program, const Plan &plan) {
  const SideSize left = size_of(plan, kLeft), right = size_of(plan, kRight);
  // Ranks of RIGHT's records have no room for the numbers of several files.
  const bool sizes_known = left.is_known && right.is_known && plan.sources.size() == 2;
  const bool is_free = program.order.limit < 0 && program.bad_path.empty();
  return sizes_known && is_free && is_much_smaller(left.bytes, right.bytes) ? kLeft : kRight;
}

namespace {

constexpr const char *kPresorted =
    "both inputs seem to be sorted by the key, which one scan checks";

class JoinStage : public Stage {
 public:
  explicit JoinStage(const Program &program) : program_(program) {}

  i64 record_bytes() const override { return 0; }
  void plan(Plan *plan) const override;
  bool is_limited() const override { return program_.join->stable && program_.order.limit >= 0; }
  std::unique_ptr<Hand> make_sampler(const Plan &plan, Sample *sample,
                                     BadRecordSink *bad) const override {
    return make_order_sampler(plan, sample, bad);
  }
  Result<std::unique_ptr<StageSink>> make_sink(Run *run) const override {
    return make_join_sink(run);
  }

 private:
  // `first`: the side that is read first. `fits`: it fits in memory as a table.
  bool seems_presorted(Side first, bool fits, Plan *plan) const;
  Decision expected_way(Side first, bool fits, const Plan &plan) const;

  const Program &program_;
};

void JoinStage::plan(Plan *plan) const {
  plan_join_parts(program_, plan);
  if (!plan->join->parts.empty()) return;
  const Side side = first_side(program_, *plan);
  const bool fits =
      size_of(*plan, side).bytes * 2 < plan->memory / table_share(*program_.join, side);
  plan->seems_presorted = seems_presorted(side, fits, plan);
  plan->decisions.push_back(plan->seems_presorted ? Decision{"join", "merge", kPresorted}
                                                  : expected_way(side, fits, *plan));
}

Decision JoinStage::expected_way(Side side, bool fits, const Plan &plan) const {
  const bool stable = program_.join->stable;
  const char *which = side == kLeft ? "first" : "second";
  if (plan.state) {
    return {"join", stable ? "by key, then by position" : "by key",
            "the rows that are kept of both inputs are in this order"};
  }
  if (program_.join->kind == JoinKind::changes) {
    return {"join", "by key", "records of both inputs are sorted by it, and compared"};
  }
  if (!stable && program_.order.limit >= 0) {
    return {"join", "by key", "records of both inputs are sorted by it, and the first rows wanted"};
  }
  if (!size_of(plan, side).is_known) {
    return {"join", "to be seen", fmt::format("it depends on how much the {} input has", which)};
  }
  const bool sorts = !stable || side == kLeft;
  if (sorts && plan.sources.size() > 2) {
    return {"join", stable ? "by key, then by position" : "by key",
            "records of several files are sorted by it"};
  }
  if (fits) {
    return {"join",
            !sorts   ? "broadcast"
            : stable ? "broadcast, then by position"
                     : "broadcast, then by key",
            fmt::format("the {} input fits in memory as a table", which)};
  }
  return {"join", stable ? "by key, then by position" : "by key",
          fmt::format("the {} input may be too large for a table in memory", which)};
}

// False if a table is faster: if one input is small, because a merge reads both inputs twice, or if
// the rows need no sorting.
bool JoinStage::seems_presorted(Side first, bool fits, Plan *plan) const {
  const Presorted presorted = program_.switches.presorted;
  if (presorted == Presorted::off || !may_be_presorted(program_, *plan)) return false;
  if (presorted == Presorted::checked) return true;
  const i64 second = size_of(*plan, first == kLeft ? kRight : kLeft).bytes;
  const bool is_small = is_much_smaller(size_of(*plan, first).bytes, second);
  const bool sorts = !program_.join->stable || first == kLeft;
  if ((fits && (is_small || !sorts)) || !worth_sampling(program_, *plan)) return false;
  PhaseTimer timer(&plan->phases);
  timer.begin("sample");
  const Sample sample = take_sample(program_, *this, *plan);
  return sample.records > 0 && !sample.disorder;
}

}  // namespace

constinit const StageType kJoinStage = make_stage_type<JoinStage>("join", Makes::pairs);

namespace {

constexpr i64 kSmallestPiece = i64{256} << 10;
constexpr i64 kMostPieces = i64{1} << 16;
constexpr i64 kSmallestBlock = i64{1} << 20, kLargestBlock = i64{16} << 20;
constexpr i64 kBlocksPerWorker = 16;

i64 bytes_of_source(const Source &source) { return source.end - source.begin; }

i64 piece_bytes(const Source &source) {
  return std::max(kSmallestPiece, bytes_of_source(source) / kMostPieces);
}

class OrderSampler : public Hand {
 public:
  OrderSampler(const Plan &plan, Sample *sample, BadRecordSink *bad)
      : sample_(sample),
        join_(*plan.join),
        sides_{SideRecords(join_.sides[kLeft], *plan.readers, bad),
               SideRecords(join_.sides[kRight], *plan.readers, bad)} {}

  Status take(const Chunk &chunk, i64 *records) override {
    const auto side = static_cast<Side>(chunk.source);
    *records += sides_[side].each(chunk, [&](const SideRecord &record) {
      if (record.has_key && !keys_[side].add(record)) sample_->disorder = true;
      return !sample_->disorder;
    });
    return Status::ok();
  }
  Status seal(bool) override { return Status::ok(); }

 private:
  Sample *sample_;
  const Join &join_;
  std::array<SideRecords, 2> sides_;
  std::array<AscendingKeys, 2> keys_;
};

}  // namespace

bool may_be_presorted(const Program &program, const Plan &plan) {
  if (plan.state) return false;  // a merge makes no rows of a side that could be kept
  if (program.join->has_binary_side()) return false;
  const bool are_files = std::ranges::all_of(plan.sources, [](const Source &source) {
    return !source.stream && source.codec == Codec::none && !source.followed;
  });
  const bool some_rows_of_left = program.join->stable && program.order.limit >= 0;
  return are_files && plan.sources.size() == 2 && !some_rows_of_left && program.bad_path.empty() &&
         !program.isolation.is_wanted;
}

std::unique_ptr<Hand> make_order_sampler(const Plan &plan, Sample *sample, BadRecordSink *bad) {
  return std::make_unique<OrderSampler>(plan, sample, bad);
}

class PresortedSides::CheckHand : public Hand {
 public:
  CheckHand(PresortedSides *sides, BadRecordSink *bad)
      : all_(*sides),
        records_{records_of(kLeft, bad), records_of(kRight, bad)},
        orders_{all_.new_orders()} {}

  Status take(const Chunk &chunk, i64 *records) override {
    const auto side = static_cast<Side>(chunk.source);
    *records += orders_[side].add(chunk, all_.join_.spec.keeps(side), &records_[side]);
    if (!orders_[side].found_disorder()) return Status::ok();
    all_.found_disorder_ = true;
    all_.source_->cancel();
    return Status::ok();
  }
  Status seal(bool) override {
    std::lock_guard lock(all_.run_.mutex);
    for (const Side side : {kLeft, kRight}) all_.orders_[side].add(&orders_[side]);
    return Status::ok();
  }

 private:
  SideRecords records_of(Side side, BadRecordSink *bad) const {
    return SideRecords(all_.join_.sides[side], *all_.run_.readers, bad);
  }

  PresortedSides &all_;
  std::array<SideRecords, 2> records_;
  Orders orders_;
};

PresortedSides::PresortedSides(Run *run)
    : run_(*run), join_(*run->plan.join), before_(run->report), orders_(new_orders()) {}

PresortedSides::Orders PresortedSides::new_orders() const {
  return {SideOrder(piece_bytes(run_.plan.sources[kLeft])),
          SideOrder(piece_bytes(run_.plan.sources[kRight]))};
}

std::unique_ptr<Hand> PresortedSides::make_hand(BadRecordSink *bad) {
  return std::make_unique<CheckHand>(this, bad);
}

// If an input could not be read, the join without a merge decides what that means.
bool PresortedSides::end() {
  bool in_order = !found_disorder_ && !run_.report.partial;
  for (const Side side : {kLeft, kRight}) {
    std::optional<std::vector<SortedPiece>> pieces = orders_[side].pieces();
    in_order &= pieces.has_value();
    if (pieces) pieces_[side] = std::move(*pieces);
  }
  if (!in_order) forget_scan();
  return in_order;
}

void PresortedSides::forget_scan() {
  Report fresh = before_;
  fresh.phases = std::move(run_.report.phases);
  run_.report = std::move(fresh);
}

Result<std::unique_ptr<RowSource>> PresortedSides::merge() const {
  const std::vector<Source> &sources = run_.plan.sources;
  const i64 bytes = bytes_of_source(sources[kLeft]) + bytes_of_source(sources[kRight]);
  const i64 block =
      std::clamp(bytes / (run_.pool.size() * kBlocksPerWorker), kSmallestBlock, kLargestBlock);
  return merge_sides({join_, *run_.readers, {sources[kLeft], sources[kRight]}, pieces_, block});
}

}  // namespace mrc
