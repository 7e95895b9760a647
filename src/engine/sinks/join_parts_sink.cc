// Joins parts of two directories one after the other, in the order of LEFT: the records of RIGHT
// become a table, in which those of LEFT are looked up, which makes text at once.
#include "base/setting_name.h"
#include "engine/sinks/join_parts.h"
#include "engine/sinks/join_sides.h"
#include "engine/sinks/side_rows.h"
#include "engine/sinks/text_product.h"
#include "join/join_table.h"
#include "rows/ordered_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace mrc {
namespace {

// Makes one phase of those of all parts that have a name.
void add_up(std::vector<Phase> *phases) {
  std::vector<Phase> all;
  for (const Phase &phase : *phases) {
    const auto found = std::ranges::find(all, phase.name, &Phase::name);
    if (found == all.end()) {
      all.push_back(phase);
      continue;
    }
    found->wall += phase.wall;
    found->user += phase.user;
    found->system += phase.system;
    found->tail += phase.tail;
  }
  *phases = std::move(all);
}

// Returns the join with checks of this run: the plan is constant.
Join with_checks(const std::shared_ptr<const Join> &planned) {
  Join join = *planned;
  const auto key = static_cast<size_t>(join.spec.hashed_key);
  for (const Side side : {kLeft, kRight}) {
    const i64 first = side == kLeft ? 0 : join.spec.left_sources;
    const HashedFiles &files = planned->spec.inputs[side].hashed;  // outlive the run
    join.sides[side].check = std::make_shared<PartitionCheck>(files, first, key);
  }
  return join;
}

class JoinPartsSink : public StageSink {
 public:
  explicit JoinPartsSink(Run *run)
      : run_(*run),
        join_(with_checks(run->plan.join)),
        text_(join_, run->program.shape),
        rows_({.order = {},
               .layout = join_layout(),
               .tmpdir = run->plan.tmpdir,
               .share = run->worker_share()},
              run->pool.size()),
        match_(make_match_text(join_, text_, table_, run->program.shape.header, INT64_MAX)),
        matches_(make_text_sink(run, *match_)) {}

  bool reads(i64 source) const override { return join_.parts[part_].has(side_, source); }
  bool in_order() const override { return side_ == kLeft; }
  bool is_far_ahead() const override { return side_ == kLeft && matches_->is_far_ahead(); }
  void begin(ChunkSource *source) override {
    if (side_ == kLeft) matches_->begin(source);
  }
  std::unique_ptr<Hand> make_hand(i64 worker, BadRecordSink *bad) override;
  void stop() override { matches_->stop(); }
  Status end(Report *report) override;
  Result<bool> end_round(i64) override { return side_ == kRight ? end_right() : end_left(); }
  Result<Answer> finish() override;

 private:
  Status check_places() const;
  Result<bool> end_right();
  Result<bool> end_left();
  Status make_table();

  Run &run_;
  const Join join_;  // its checks are of this run
  const JoinText text_;
  size_t part_ = 0;     // the part that is joined now
  Side side_ = kRight;  // the side of it that is read now
  OrderedRows rows_;    // the records of RIGHT of a part
  std::unique_ptr<JoinTable> table_;
  const std::unique_ptr<Transformer> match_;
  const std::unique_ptr<StageSink> matches_;
  i64 answered_ = 0;              // rows of the text
  bool left_is_partial_ = false;  // not all of LEFT could be read
};

std::unique_ptr<Hand> JoinPartsSink::make_hand(i64 worker, BadRecordSink *bad) {
  if (side_ == kLeft) return matches_->make_hand(worker, bad);
  return std::make_unique<JoinHand<SideWriter>>(
      &rows_, worker, join_.sides[kRight], *run_.readers, bad,
      [&](RowStore *store) { return SideWriter(kRight, rows_.order(), store, false); });
}

// The sink of the text counts its rows in place of the records that were read.
Status JoinPartsSink::end(Report *report) {
  if (Status status = check_places(); !status.is_ok()) return status;
  if (side_ == kRight) return Status::ok();
  const i64 read = report->records;
  Status status = matches_->end(report);
  answered_ = std::exchange(report->records, read);
  return status;
}

Status JoinPartsSink::check_places() const {
  for (const Side side : {kLeft, kRight}) {
    const i64 source = join_.sides[side].check->misplaced();
    if (source < 0) continue;
    return Status::error(fmt::format(
        "{}: has a record whose key has another hash than its folder says; use {} copartitions=off",
        run_.plan.sources[static_cast<size_t>(source)].name(), setting_name("engine")));
  }
  return Status::ok();
}

Result<bool> JoinPartsSink::end_right() {
  Status status = check_whole(run_, kRight, run_.report.partial);
  if (status.is_ok()) status = make_table();
  side_ = kLeft;
  return status.is_ok() ? Result<bool>(true) : status;
}

// The plan knows an upper bound of the rows, so that they are in memory.
Status JoinPartsSink::make_table() {
  if (rows_.on_disk()) {
    return Status::error(
        fmt::format("a part of the second input does not fit in memory; use {} copartitions=off",
                    setting_name("engine")));
  }
  run_.timer.begin("table");
  const Result<Rows> rows = rows_.sort(&run_.pool);
  if (!rows.is_ok()) return rows.status();
  const Seed seed = run_.program.seed ? *run_.program.seed : Seed::random();
  table_ = std::make_unique<JoinTable>(join_, text_, *rows, seed);
  rows_.clear();
  return Status::ok();
}

Result<bool> JoinPartsSink::end_left() {
  left_is_partial_ |= std::exchange(run_.report.partial, false);
  table_.reset();
  ++part_;
  const bool is_last = part_ == join_.parts.size() || run_.report.abandoned;
  if (is_last) run_.report.partial = left_is_partial_;
  if (!is_last) side_ = kRight;
  return !is_last;
}

Result<Answer> JoinPartsSink::finish() {
  run_.timer.end();
  add_up(&run_.report.phases);
  run_.report.join = fmt::format("copartitions: {} parts", join_.parts.size());
  run_.report.records = answered_;
  return matches_->finish();
}

}  // namespace

std::unique_ptr<StageSink> make_join_parts_sink(Run *run) {
  return std::make_unique<JoinPartsSink>(run);
}

}  // namespace mrc
