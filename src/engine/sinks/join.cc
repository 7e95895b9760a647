// Records of two inputs become rows of both. RIGHT is read first, into rows. If these fit in memory
// and the rows are wanted in the order of LEFT, they become a table that is looked up while LEFT
// becomes text (broadcast). Otherwise LEFT becomes rows, too: in the order of keys those of one key
// stand together, those of RIGHT first (partition by ranges of keys, which are joined one by one).
#include "engine/run.h"
#include "engine/sinks/text_sink.h"
#include "join/joined_rows.h"
#include "join/match_text.h"
#include "rows/ordered_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

namespace mrc {
namespace {

// Of the memory, for the rows of RIGHT: as much again is needed for the table.
constexpr i64 kTableShare = 5;

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
  class SideHand;

  static OrderedRows::Spec products_spec(const Run &run) {
    OrderedRows::Spec spec = rows_spec(run);
    spec.share /= 2;  // ranges of the rows that are joined take their part
    spec.order.limit = run.program.order.limit;
    return spec;
  }
  const JoinSpec &spec() const { return join_.spec; }
  i64 limit() const { return run_.program.order.limit >= 0 ? run_.program.order.limit : INT64_MAX; }
  Status make_table();
  Result<Answer> finish_text();
  std::unique_ptr<Formatter> make_formatter_of_text() const;
  Result<std::unique_ptr<RowSource>> in_order_of_left(RowSource *joined);
  Status add_products(i64 worker, std::atomic<i64> *next, RowSource *joined);

  Run &run_;
  const Join &join_;
  const JoinText text_;
  Side side_ = kRight;    // that is being read
  OrderedRows rows_;      // of both sides
  OrderedRows products_;  // joined, in the order of LEFT
  // Broadcast.
  std::unique_ptr<JoinTable> table_;
  std::unique_ptr<Transformer> match_;
  std::unique_ptr<StageSink> matches_;
};

class JoinSink::SideHand : public Hand {
 public:
  SideHand(JoinSink *sink, i64 worker, BadRecordSink *bad)
      : rows_(sink->rows_),
        worker_(worker),
        keeps_lone_(sink->spec().keeps(sink->side_)),
        store_(rows_.take(worker)),
        records_(sink->join_.sides[sink->side_], *sink->run_.readers, bad),
        writer_(sink->side_, rows_.order(), store_.get()) {}

  Status take(const Chunk &chunk, i64 *records) override {
    *records += records_.each(chunk, [&](const SideRecord &record) {
      if (record.has_key || keeps_lone_) writer_.add(record);
      return true;
    });
    return rows_.relieve(store_.get());
  }
  Status seal(bool) override {
    rows_.add(worker_, std::move(store_));
    return Status::ok();
  }

 private:
  OrderedRows &rows_;
  const i64 worker_;
  const bool keeps_lone_;
  std::unique_ptr<RowStore> store_;
  SideRecords records_;
  SideWriter writer_;
};

std::unique_ptr<Hand> JoinSink::make_hand(i64 worker, BadRecordSink *bad) {
  if (matches_) return matches_->make_hand(worker, bad);
  return std::make_unique<SideHand>(this, worker, bad);
}

// When one side has been read.
Result<bool> JoinSink::end_round(i64) {
  if (side_ == kLeft) return false;
  if (run_.report.partial) {
    return Status::error(
        run_.plan.sources[kRight].name() +
        ": not all of it could be read, and any record may have its partner there");
  }
  side_ = kLeft;
  const bool fits = !rows_.on_disk() && rows_.used_bytes() <= run_.plan.memory / kTableShare;
  if (!spec().stable || !fits) return true;
  Status status = make_table();
  if (!status.is_ok()) return status;
  return true;
}

Status JoinSink::make_table() {
  run_.timer.begin("table");
  const Result<Rows> rows = rows_.sort(&run_.pool);
  if (!rows.is_ok()) return rows.status();
  const Seed seed = run_.program.seed ? *run_.program.seed : Seed::random();
  table_ = std::make_unique<JoinTable>(join_, text_, *rows, seed);
  rows_.clear();
  match_ = make_match_text(join_, text_, *table_, run_.program.shape.header, limit());
  matches_ = make_text_sink(&run_, *match_);
  run_.report.join =
      fmt::format("broadcast: {} records of the second input in {:.1f} MiB", table_->records(),
                  static_cast<double>(table_->bytes()) / (1 << 20));
  return Status::ok();
}

Result<Answer> JoinSink::finish() {
  if (matches_) return finish_text();
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

// Of rows that are text already.
std::unique_ptr<Formatter> JoinSink::make_formatter_of_text() const {
  RowShape shape = run_.program.shape;
  shape.raw = true;
  shape.terminal = shape.terminated = false;
  std::string header;
  if (shape.header) text_.append_header(&header);
  return make_record_formatter(shape, products_.layout(), std::move(header));
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

class JoinStage : public Stage {
 public:
  explicit JoinStage(const Program &program) : program_(program) {}

  i64 record_bytes() const override { return 0; }
  void plan(Plan *plan) const override;
  bool is_limited() const override { return program_.join->stable && program_.order.limit >= 0; }
  Result<std::unique_ptr<StageSink>> make_sink(Run *run) const override {
    return std::unique_ptr<StageSink>(std::make_unique<JoinSink>(run));
  }

 private:
  const Program &program_;
};

void JoinStage::plan(Plan *plan) const {
  Decision decision{"join", "by key",
                    "records of both inputs are sorted by it, and rows come in its order"};
  if (program_.join->stable) {
    const Source &right = plan->sources[kRight];
    const bool fits = !right.stream && (right.end - right.begin) * 2 < plan->memory / kTableShare;
    decision.value = right.stream ? "to be seen" : fits ? "broadcast" : "by key, then by position";
    decision.reason = right.stream ? "it depends on how much the second input has"
                      : fits       ? "the second input fits in memory as a table"
                                   : "the second input may be too large for a table in memory";
  }
  plan->decisions.push_back(std::move(decision));
}

}  // namespace

constinit const StageType kJoinStage = make_stage_type<JoinStage>("join");

}  // namespace mrc
