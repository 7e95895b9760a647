// Records of two inputs become rows of both. One side is read first, into rows: LEFT if it is much
// smaller, else RIGHT. If these fit in memory, they become a table that is looked up while the
// other side is read (broadcast). With a table of RIGHT and the order of LEFT, this makes text at
// once; else it makes rows that are ordered by ranks, which the table knows. If they do not fit,
// the other side becomes rows, too: in the order of keys those of one key stand together, those of
// RIGHT first (partition by ranges of keys, which are joined one by one).
#include "engine/run.h"
#include "engine/sinks/join_hand.h"
#include "engine/sinks/join_sides.h"
#include "engine/sinks/text_sink.h"
#include "join/joined_rows.h"
#include "join/match_text.h"
#include "join/ranked_pairs.h"
#include "join/ranked_rows.h"
#include "rows/ordered_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <optional>

namespace mrc {
namespace {

constexpr i64 kRowBytes = 32;  // that a row takes at least

Side other(Side side) { return side == kLeft ? kRight : kLeft; }

OrderedRows::Spec rows_spec(const Run &run) {
  return {
      .order = {}, .layout = join_layout(), .tmpdir = run.plan.tmpdir, .share = run.worker_share()};
}

class JoinSink : public StageSink {
 public:
  explicit JoinSink(Run *run)
      : run_(*run),
        join_(*run->plan.join),
        text_(join_, run->program.shape),
        rows_(rows_spec(*run), run->pool.size()),
        side_(first_side(run->program, run->plan)),
        products_(products_spec(*run), run->pool.size()) {}

  bool reads(i64 source) const override { return static_cast<Side>(source) == side_; }
  bool in_order() const override { return matches_ && matches_->in_order(); }
  bool is_far_ahead() const override { return matches_ && matches_->is_far_ahead(); }
  void begin(ChunkSource *source) override {
    if (matches_) matches_->begin(source);
  }
  std::unique_ptr<Hand> make_hand(i64 worker, BadRecordSink *bad) override;
  void stop() override {
    if (matches_) matches_->stop();
  }
  Status end(Report *report) override { return matches_ ? matches_->end(report) : Status::ok(); }
  u64 last_position() const override {
    return matches_ ? matches_->last_position() : StageSink::last_position();
  }
  Result<bool> end_round(i64 round) override;
  Result<Answer> finish() override;

 private:
  static OrderedRows::Spec products_spec(const Run &run) {
    // With short runs, there is more work in merging them than in all the rest: little memory is
    // exceeded by a few MiB, as buffers do (kAnyWorkers of the planner).
    constexpr i64 kMegabyte = i64{1} << 20;
    OrderedRows::Spec spec = rows_spec(run);
    spec.share /= 2;  // ranges of the rows that are joined take their part
    spec.share = std::max(spec.share, std::min(run.plan.memory, kMegabyte) * 4);
    spec.order.limit = run.program.order.limit;
    return spec;
  }
  const JoinSpec &spec() const { return join_.spec; }
  i64 limit() const { return run_.program.order.limit >= 0 ? run_.program.order.limit : INT64_MAX; }
  bool is_broadcast();
  int position_bits(Side side) const;
  Status make_table();
  Result<Answer> finish_text();
  Result<Answer> finish_ranked();
  std::string header() const;
  std::unique_ptr<Formatter> make_formatter_of_text() const;
  Result<std::unique_ptr<RowSource>> in_order_of_left(RowSource *joined);
  Status add_products(i64 worker, std::atomic<i64> *next, RowSource *joined);

  Run &run_;
  const Join &join_;
  const JoinText text_;
  OrderedRows rows_;      // of both sides
  Side side_;             // that is being read
  OrderedRows products_;  // joined, in the order of LEFT
  // Broadcast.
  std::unique_ptr<JoinTable> table_;
  std::unique_ptr<Transformer> match_;
  std::unique_ptr<StageSink> matches_;  // text at once; else rows_ are ordered by ranks, and
  std::optional<RankedSpec> ranked_;    // of LEFT; or
  std::optional<RankedPairs> pairs_;    // of RIGHT
  bool left_is_partial_ = false;        // all of RIGHT may still be there
};

std::unique_ptr<Hand> JoinSink::make_hand(i64 worker, BadRecordSink *bad) {
  if (matches_) return matches_->make_hand(worker, bad);
  const auto make = [&](auto make_writer) -> std::unique_ptr<Hand> {
    using TheHand = JoinHand<decltype(make_writer(nullptr))>;
    return std::make_unique<TheHand>(&rows_, worker, join_.sides[side_], *run_.readers, bad,
                                     make_writer);
  };
  if (ranked_) return make([&](RowStore *store) { return RankedWriter(*ranked_, store); });
  if (pairs_) return make([&](RowStore *store) { return PairWriter(*pairs_, store); });
  return make([&](RowStore *store) {
    return SideWriter(side_, rows_.order(), store, spec().keeps(side_));
  });
}

// When one side has been read.
Result<bool> JoinSink::end_round(i64 round) {
  if (side_ == kRight && run_.report.partial) {
    return Status::error(
        run_.plan.sources[kRight].name() +
        ": not all of it could be read, and any record may have its partner there");
  }
  if (round > 0) {
    run_.report.partial |= left_is_partial_;
    return false;
  }
  left_is_partial_ = std::exchange(run_.report.partial, false);  // of LEFT, or false
  const bool broadcast = is_broadcast();
  side_ = other(side_);
  if (!broadcast) return true;
  if (Status status = make_table(); !status.is_ok()) return status;
  return true;
}

// As the first side turned out to be.
bool JoinSink::is_broadcast() {
  const i64 bytes = rows_.used_bytes();
  if (rows_.on_disk() || bytes > run_.plan.memory / table_share(spec(), side_)) return false;
  if (spec().stable && side_ == kRight) return true;
  return limit() == INT64_MAX &&
         RankedSpec::has_room(bytes / kRowBytes, position_bits(other(side_)));
}

int JoinSink::position_bits(Side side) const {
  constexpr int kAnyBits = 44;  // record.h
  const Source &source = run_.plan.sources[side];
  return source.stream ? kAnyBits : static_cast<int>(std::bit_width(static_cast<u64>(source.end)));
}

// Of the first side, when the other is about to be read.
Status JoinSink::make_table() {
  run_.timer.begin("table");
  const Result<Rows> rows = rows_.sort(&run_.pool);
  if (!rows.is_ok()) return rows.status();
  const Seed seed = run_.program.seed ? *run_.program.seed : Seed::random();
  table_ = std::make_unique<JoinTable>(join_, text_, *rows, seed, other(side_));
  rows_.clear();
  run_.report.join = fmt::format("broadcast: {} records of the {} input in {:.1f} MiB",
                                 table_->records(), side_ == kLeft ? "second" : "first",
                                 static_cast<double>(table_->bytes()) / (1 << 20));
  if (side_ == kRight) {
    pairs_.emplace(join_, text_, *table_, position_bits(kRight));
    run_.report.join += spec().stable ? ", then in its order" : ", then by key";
    return Status::ok();
  }
  if (!spec().stable) {
    ranked_.emplace(RankedSpec{join_, text_, *table_, position_bits(kLeft)});
    run_.report.join += ", then by key";
    return Status::ok();
  }
  match_ = make_match_text(join_, text_, *table_, run_.program.shape.header, limit());
  matches_ = make_text_sink(&run_, *match_);
  return Status::ok();
}

Result<Answer> JoinSink::finish() {
  if (matches_) return finish_text();
  if (ranked_ || pairs_) return finish_ranked();
  run_.timer.begin("sort");
  Result<std::unique_ptr<RowSource>> rows = rows_.sort_by_identity(&run_.pool);
  if (!rows.is_ok()) return rows.status();
  run_.report.spilled_rows = rows_.spilled_rows();
  run_.report.spilled_row_bytes = rows_.spilled_bytes();
  const i64 ranges = (*rows)->blocks();
  const JoinedRowsSpec spec{join_, text_, run_.plan.tmpdir, run_.worker_share() / 8};
  std::unique_ptr<RowSource> joined = join_rows(std::move(*rows), spec);
  run_.report.join =
      fmt::format("by key: {} ranges{}", ranges,
                  this->spec().stable ? ", then in the order of the first input" : "");
  if (this->spec().stable) {
    Result<std::unique_ptr<RowSource>> stable = in_order_of_left(joined.get());
    if (!stable.is_ok()) return stable.status();
    joined = std::move(*stable);
  }
  if (limit() < INT64_MAX) joined = first_rows(std::move(joined), limit());
  return Answer{.rows = std::move(joined), .formatter = make_formatter_of_text()};
}

Result<Answer> JoinSink::finish_ranked() {
  std::unique_ptr<RowStore> store = rows_.take(0);
  if (pairs_) PairWriter(*pairs_, store.get()).add_lone_left();
  if (ranked_ && spec().kind == JoinKind::full) {
    RankedWriter(*ranked_, store.get()).add_lone_entries();
  }
  rows_.add(0, std::move(store));
  run_.timer.begin("sort");
  Result<std::unique_ptr<RowSource>> rows = rows_.sort_by_identity(&run_.pool);
  if (!rows.is_ok()) return rows.status();
  run_.report.spilled_rows = rows_.spilled_rows();
  run_.report.spilled_row_bytes = rows_.spilled_bytes();
  return Answer{.rows = std::move(*rows),
                .formatter = pairs_ ? make_pair_formatter(*pairs_, header())
                                    : make_ranked_formatter(*ranked_, header())};
}

std::string JoinSink::header() const {
  std::string text;
  if (run_.program.shape.header) text_.append_header(&text);
  return text;
}

// Of rows that are text already.
std::unique_ptr<Formatter> JoinSink::make_formatter_of_text() const {
  RowShape shape = run_.program.shape;
  shape.raw = true;
  shape.terminal = shape.terminated = false;
  return make_record_formatter(shape, products_.layout(), header());
}

Result<std::unique_ptr<RowSource>> JoinSink::in_order_of_left(RowSource *joined) {
  run_.timer.begin("join");
  std::atomic<i64> next{0};
  Status status = run_.pool.run(run_.pool.size(), [&](i64 worker) {
    return guarded([&] { return add_products(worker, &next, joined); });
  });
  if (!status.is_ok()) return status;
  rows_.clear();
  run_.timer.begin("sort");
  Result<std::unique_ptr<RowSource>> rows = products_.sort_by_identity(&run_.pool);
  run_.report.spilled_rows += products_.spilled_rows();
  run_.report.spilled_row_bytes += products_.spilled_bytes();
  return rows;
}

Status JoinSink::add_products(i64 worker, std::atomic<i64> *next, RowSource *joined) {
  const RowLayout &layout = products_.layout();
  std::unique_ptr<RowStore> store = products_.take(worker);
  Status relieved = Status::ok();
  for (i64 block = (*next)++; block < joined->blocks(); block = (*next)++) {
    Status status = joined->show(block, [&](std::span<const Row> rows) {
      for (const Row &row : rows) {
        const Bytes key = layout.key(row);
        store->add(order_prefix(products_.order(), key, 0), key, layout.state(row));
      }
      relieved = products_.relieve(store.get());
      return relieved.is_ok();
    });
    if (status.is_ok()) status = relieved;
    if (!status.is_ok()) return status;
  }
  products_.add(worker, std::move(store));
  return Status::ok();
}

// What RIGHT alone has follows all of LEFT.
Result<Answer> JoinSink::finish_text() {
  Result<Answer> answer = matches_->finish();
  if (!answer.is_ok() || spec().kind != JoinKind::full) return answer;
  table_->append_unmarked(limit() - std::min(limit(), run_.report.records), &answer->text);
  return answer;
}

}  // namespace

std::unique_ptr<StageSink> make_join_sink(Run *run) { return std::make_unique<JoinSink>(run); }

}  // namespace mrc
