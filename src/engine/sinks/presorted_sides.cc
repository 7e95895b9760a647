#include "engine/sinks/presorted_sides.h"

#include "engine/inner/sample.h"

#include <algorithm>

namespace mrc {
namespace {

constexpr i64 kSmallestPiece = i64{256} << 10;
constexpr i64 kMostPieces = i64{1} << 16;
constexpr i64 kSmallestBlock = i64{1} << 20, kLargestBlock = i64{16} << 20;
constexpr i64 kBlocksPerWorker = 16;

i64 bytes_of(const Source &source) { return source.end - source.begin; }

i64 piece_bytes(const Source &source) {
  return std::max(kSmallestPiece, bytes_of(source) / kMostPieces);
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
  const bool are_files = std::ranges::all_of(plan.sources, [](const Source &source) {
    return !source.stream && source.codec == Codec::none && !source.followed;
  });
  const bool some_rows_of_left = program.join->stable && program.order.limit >= 0;
  return are_files && !some_rows_of_left && program.bad_path.empty() &&
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
  const i64 bytes = bytes_of(sources[kLeft]) + bytes_of(sources[kRight]);
  const i64 block =
      std::clamp(bytes / (run_.pool.size() * kBlocksPerWorker), kSmallestBlock, kLargestBlock);
  return merge_sides({join_, *run_.readers, {sources[kLeft], sources[kRight]}, pieces_, block});
}

}  // namespace mrc
