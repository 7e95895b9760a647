// Joins two inputs: decides in which way, reads their sides, and makes the answer.
#include "engine/inner/run.h"
#include "engine/sinks/join_parts.h"
#include "engine/sinks/join_sides.h"
#include "engine/sinks/side_rows.h"
#include "engine/sinks/text_product.h"
#include "engine/sinks/worker_rows.h"
#include "join/join.h"
#include "join/join_table.h"
#include "join/joined_rows.h"
#include "join/ranked_rows.h"
#include "rows/ordered_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <memory>
#include <optional>

namespace mrc {
namespace {

// Joins records of two inputs to rows. One side is read first, into rows: LEFT if it is much
// smaller, else RIGHT. If these rows fit in memory, they become a table, and records of the other
// side are looked up in it (broadcast). With a table of RIGHT and the order of LEFT, this makes
// text at once; otherwise it makes rows, which are ordered by ranks from the table. If the first
// side does not fit, the other side becomes rows, too. Sorted by key, the rows of each key are
// adjacent, those of RIGHT first, and ranges of keys are joined one by one (partition join). A
// conduct that keeps rows for later runs has them made of both sides in one scan.
//
// Parts of two directories whose files the hash of the key divides are joined by another sink
// (join_parts_sink.cc).

constexpr i64 kRowBytes = 32;  // minimum size of a row

Side other(Side side) { return side == kLeft ? kRight : kLeft; }

OrderedRows::Spec rows_spec(const Run &run) {
  return {
      .order = {}, .layout = join_layout(), .tmpdir = run.plan.tmpdir, .share = run.worker_share()};
}

class JoinSink : public StageSink, public RowProducts {
 public:
  explicit JoinSink(Run *run)
      : RowProducts(run, rows_spec(*run)),
        join_(*run->plan.join),
        text_(join_, run->program.shape),
        conduct_(make_conduct(run, this)),
        side_(first_side(run->program, run->plan)),
        products_(products_spec(*run), run->pool.size()) {
    if (run->plan.seems_presorted) presorted_.emplace(run);
  }

  Status open() override { return conduct_ ? conduct_->open() : Status::ok(); }
  bool reads(i64 source) const override {
    return conduct_ || presorted_ || spec().side_of(source) == side_;
  }
  bool in_order() const override { return matches_ && matches_->in_order(); }
  bool is_far_ahead() const override { return matches_ && matches_->is_far_ahead(); }
  void begin(ChunkSource *source) override {
    if (conduct_) conduct_->begin(source);
    if (presorted_) presorted_->begin(source);
    if (matches_) matches_->begin(source);
  }
  std::unique_ptr<Hand> make_hand(i64 worker, BadRecordSink *bad) override;
  void stop() override {
    if (conduct_) conduct_->stop();
    if (matches_) matches_->stop();
  }
  Status end(Report *report) override {
    if (conduct_) return conduct_->end();
    return matches_ ? matches_->end(report) : Status::ok();
  }
  Status reduce() override { return conduct_ ? conduct_->adopt() : Status::ok(); }
  u64 last_position() const override {
    return matches_ ? matches_->last_position() : StageSink::last_position();
  }
  Result<bool> end_round(i64 round) override;
  Result<Answer> finish() override;

 private:
  static OrderedRows::Spec products_spec(const Run &run) {
    // Merging many short runs costs more than all other work, so a small memory limit is exceeded
    // by a few MiB, as by buffers (kBesideMemory of the planner).
    constexpr i64 kMegabyte = i64{1} << 20;
    OrderedRows::Spec spec = rows_spec(run);
    spec.share /= 2;  // ranges of the rows that are joined need the other half
    spec.share = std::max(spec.share, std::min(run.plan.memory, kMegabyte) * 4);
    spec.order.limit = run.program.order.limit;
    return spec;
  }
  const JoinSpec &spec() const { return join_.spec; }
  i64 limit() const { return run_.program.order.limit >= 0 ? run_.program.order.limit : INT64_MAX; }
  Result<bool> end_side();
  bool is_broadcast();
  int position_bits(Side side) const;
  bool is_damaged(Side side) const;
  Status make_table();
  Result<Answer> finish_text();
  Result<Answer> finish_ranked();
  Result<Answer> finish_merge();
  Result<Answer> finish_joined(std::unique_ptr<RowSource> rows);
  std::string header() const;
  std::unique_ptr<Formatter> make_formatter_of_text() const;
  Result<std::unique_ptr<RowSource>> in_order_of_left(RowSource *joined);
  Status add_products(i64 worker, std::atomic<i64> *next, RowSource *joined);

  std::unique_ptr<ChunkRows> make_rows_of(BadRecordSink *bad) override {
    return std::make_unique<SideRows>(join_, *run_.readers, rows_.order(), bad);
  }

  // The rows of RowProducts are of one side, or of both.
  const Join &join_;
  const JoinText text_;
  const std::unique_ptr<Conduct> conduct_;   // null: rows are not kept
  Side side_;                                // the side that is read now
  bool is_second_ = false;                   // the other side has been read
  std::optional<PresortedSides> presorted_;  // set if both inputs are checked, or merged
  OrderedRows products_;                     // joined rows, in the order of LEFT
  // For a broadcast:
  std::unique_ptr<JoinTable> table_;
  std::unique_ptr<Transformer> match_;
  std::unique_ptr<StageSink> matches_;  // makes text at once; null: rows_ are ordered by ranks,
  std::optional<RankedSpec> ranked_;    // with a table of RIGHT; or
  std::optional<RankedPairs> pairs_;    // with a table of LEFT
  bool left_is_partial_ = false;        // not all of LEFT could be read
};

std::unique_ptr<Hand> JoinSink::make_hand(i64 worker, BadRecordSink *bad) {
  if (conduct_) return conduct_->make_hand(worker, bad);
  if (presorted_) return presorted_->make_hand(bad);
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

Result<bool> JoinSink::end_round(i64) {
  if (conduct_) {
    Status status = check_whole(run_, kRight, is_damaged(kRight));
    if (status.is_ok()) status = check_whole(run_, kLeft, is_damaged(kLeft));
    return status.is_ok() ? Result<bool>(false) : status;
  }
  if (!presorted_) return end_side();
  if (presorted_->end()) return false;
  presorted_.reset();
  return true;
}

bool JoinSink::is_damaged(Side side) const {
  const std::vector<Source> &sources = run_.plan.sources;
  for (i64 i = 0; i < std::ssize(sources); ++i) {
    const std::string &path = sources[static_cast<size_t>(i)].path;
    if (spec().side_of(i) == side && run_.damaged.contains(path)) return true;
  }
  return false;
}

// Ends the scan of a side. True if the other side must be read.
Result<bool> JoinSink::end_side() {
  Status status = check_whole(run_, side_, run_.report.partial);
  if (!status.is_ok()) return status;
  if (std::exchange(is_second_, true)) {
    run_.report.partial |= left_is_partial_;
    return false;
  }
  left_is_partial_ = std::exchange(run_.report.partial, false);  // LEFT's; false after RIGHT
  const bool broadcast = is_broadcast();
  side_ = other(side_);
  if (broadcast) status = make_table();
  return status.is_ok() ? Result<bool>(true) : status;
}

// True if the rows of the first side become a table.
bool JoinSink::is_broadcast() {
  const i64 bytes = rows_.used_bytes();
  if (spec().kind == JoinKind::changes) return false;
  if (rows_.on_disk() || bytes > run_.plan.memory / table_share(spec(), side_)) return false;
  if (spec().stable && side_ == kRight) return true;
  return limit() == INT64_MAX &&
         RankedSpec::has_room(bytes / kRowBytes, position_bits(other(side_)));
}

int JoinSink::position_bits(Side side) const {
  constexpr int kAnyBits = 44, kNoRoom = 64;  // of any position in a file (record.h)
  if (run_.plan.sources.size() > 2) return kNoRoom;
  const Source &source = run_.plan.sources[side];
  return source.stream ? kAnyBits : static_cast<int>(std::bit_width(static_cast<u64>(source.end)));
}

// Makes a table of the first side, before the other side is read.
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
  match_ = make_match_text(join_, text_, table_, run_.program.shape.header, limit());
  matches_ = make_text_sink(&run_, *match_);
  return Status::ok();
}

Result<Answer> JoinSink::finish() {
  if (presorted_) return finish_merge();
  if (matches_) return finish_text();
  if (ranked_ || pairs_) return finish_ranked();
  run_.timer.begin("sort");
  Result<std::unique_ptr<RowSource>> rows = rows_.sort_by_identity(&run_.pool);
  if (!rows.is_ok()) return rows.status();
  run_.report.spilled_rows = rows_.spilled_rows();
  run_.report.spilled_row_bytes = rows_.spilled_bytes();
  run_.report.join = fmt::format("by key: {} ranges", (*rows)->blocks());
  return finish_joined(std::move(*rows));
}

Result<Answer> JoinSink::finish_merge() {
  Result<std::unique_ptr<RowSource>> rows = presorted_->merge();
  if (!rows.is_ok()) return rows.status();
  run_.report.join = fmt::format("merge: {} ranges", (*rows)->blocks());
  return finish_joined(std::move(*rows));
}

// `rows`: of both sides, ordered by key. If this is the order of LEFT, too, joined rows are in the
// order of LEFT, except those of RIGHT alone.
Result<Answer> JoinSink::finish_joined(std::unique_ptr<RowSource> rows) {
  const JoinedRowsSpec joined_spec{join_, text_, run_.plan.tmpdir, run_.worker_share() / 8};
  std::unique_ptr<RowSource> joined = join_rows(std::move(rows), joined_spec);
  const bool in_order = presorted_ && spec().kind != JoinKind::full;
  if (spec().stable && !in_order) {
    run_.report.join += ", then in the order of the first input";
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

// Makes the formatter of rows that are text already.
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

// Appends the records of RIGHT without a partner, which follow all of LEFT.
Result<Answer> JoinSink::finish_text() {
  Result<Answer> answer = matches_->finish();
  if (!answer.is_ok() || spec().kind != JoinKind::full) return answer;
  table_->append_unmarked(limit() - std::min(limit(), run_.report.records), &answer->text);
  return answer;
}

}  // namespace

Status check_whole(const Run &run, Side side, bool is_partial) {
  const JoinSpec &spec = run.plan.join->spec;
  if (!is_partial || (side == kLeft && spec.kind != JoinKind::changes)) return Status::ok();
  const auto first = static_cast<size_t>(side == kLeft ? 0 : spec.left_sources);
  return Status::error(run.plan.sources[first].name() +
                       ": not all of it could be read, and any record may have its partner there");
}

std::unique_ptr<StageSink> make_join_sink(Run *run) {
  if (!run->plan.join->parts.empty()) return make_join_parts_sink(run);
  return std::make_unique<JoinSink>(run);
}

}  // namespace mrc
