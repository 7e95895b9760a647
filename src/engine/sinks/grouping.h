// Map, group, combine and reduce: the sink of jobs that make rows of keys.
#pragma once

#include "combine/value_runs.h"
#include "engine/engine.h"
#include "engine/inner/positions.h"
#include "engine/inner/product.h"
#include "engine/inner/row_collector.h"
#include "engine/inner/run.h"
#include "engine/sinks/partials.h"
#include "engine/sinks/saved_groups.h"
#include "reduce/grand_total.h"
#include "reduce/reduce.h"
#include "rows/ordered_rows.h"

#include <memory>
#include <string>
#include <vector>

namespace mrc {

// The merged states of all groups of one worker, and finally of all workers, which make the row of
// the total. Not thread safe.
class GroupTotal : public GroupSink {
 public:
  // Passes groups on to `next`; both must outlive this. States that can spill use about
  // `memory_bytes` of memory.
  GroupTotal(const StateLayout &layout, GroupSink *next, i64 memory_bytes)
      : layout_(layout),
        next_(next),
        memory_bytes_(memory_bytes),
        total_(words_of(layout)),
        copy_(words_of(layout)) {}

  // Merges a copy of the state: merging takes a state over, and the group still needs its own.
  void take(Bytes key, const State *state) override {
    std::memcpy(copy_.data(), state, static_cast<size_t>(layout_.state_bytes()));
    if (!layout_.is_flat()) {
      saved_.clear();
      layout_.save(state, &saved_);
      layout_.load(state_in(&copy_), saved_, &arenas_[0]);
    }
    merge(&copy_);
    if (layout_.spills() && arenas_[0].used() > memory_bytes_) shrink();
    next_->take(key, state);
  }
  void flush() override { next_->flush(); }

  // Merges the total of another worker.
  void merge(GroupTotal *other) {
    merge(&other->total_);
    for (Arena &arena : other->arenas_) arenas_.push_back(std::move(arena));
  }

  // Returns the total. Call it when all are merged.
  const State *state() {
    layout_.bound(state_in(&total_));
    return state_in(&total_);
  }

 private:
  using Words = std::vector<u64>;

  static Words words_of(const StateLayout &layout) {
    return Words(static_cast<size_t>(layout.state_bytes()) / sizeof(u64) + 1);
  }
  static State *state_in(Words *words) { return reinterpret_cast<State *>(words->data()); }

  void merge(Words *from) {
    State *const into_state = state_in(&total_), *const from_state = state_in(from);
    layout_.merge(&into_state, &from_state, 1, &arenas_[0]);
  }

  // Frees memory: saving a state spills its large parts.
  void shrink() {
    saved_.clear();
    layout_.save(state_in(&total_), &saved_);
    arenas_[0].clear();
    layout_.load(state_in(&total_), saved_, &arenas_[0]);
  }

  const StateLayout &layout_;
  GroupSink *next_;
  i64 memory_bytes_;
  Words total_, copy_;
  std::string saved_;
  std::vector<Arena> arenas_{1};  // memory that states own; the first is this worker's
};

// Rows of an interim answer, in order. They use the states of the groups, and may use their keys.
struct InterimRows {
  explicit InterimRows(OrderedRows::Spec spec) : ordered(std::move(spec), 1) {}

  WorkerPool pool{1};
  OrderedRows ordered;
  std::unique_ptr<RowStore> last;  // the row of the total; null: there is none
  std::vector<Row> rows;
};

// The sink of plugins (plugin.cc) overrides virtual functions.
class GroupingSink : public StageSink, public Products {
 public:
  explicit GroupingSink(Run *run)
      : GroupingSink(run, run->program.aggregation, run->program.order) {}

  Status open() override;
  std::unique_ptr<Hand> make_hand(i64 worker, BadRecordSink *bad) override;
  bool claims_in_order() const override { return run_.program.live.in_order; }
  void begin(ChunkSource *source) override;
  void stop() override { conduct_->stop(); }
  Status take_part(i64 worker, SealedPart part) override {
    return conduct_->take_part(worker, std::move(part));
  }
  void end_worker(i64 worker) override { conduct_->end_worker(worker); }
  std::unique_ptr<Product> make_product(i64 worker, BadRecordSink *bad, PartFiles *files) override;
  Status adopt(SavedParts others, SavedParts own) override;
  void take_notes(Bytes notes) override;
  RecordShape kept_shape() const override { return kept_.shape(); }
  Status seal(TileProducts parts, u64 origin, SealedRun *run, SealedBlocks *written) override;
  Status merge(std::span<const KeptStretch> tiles, u64 origin, SealedRun *run,
               SealedBlocks *written) override;
  Status load(std::span<const KeptStretch> tiles) override;
  Status end(Report *report) override;
  Status reduce() override;
  Result<Answer> finish() override;
  Status close() override;

  // For products and conducts:
  Run &run() const { return run_; }
  const StateLayout &layout() const { return layout_; }
  const ValueRuns &value_runs() const { return value_runs_; }
  const SavedGroups &saved() const { return saved_; }
  KeptGroups *kept() { return &kept_; }
  GroupSettings settings() const;
  // Returns the settings of one worker, adjusted by the conduct. Called on its thread.
  GroupSettings settings_of(i64 worker);
  virtual std::unique_ptr<Mapper> make_mapper(BadRecordSink *bad) const;
  // Returns an error of reducers or of spilled values. Any thread.
  Status failure() const;
  // Takes the output of a worker. Called on its thread.
  Status take_output(i64 worker, std::unique_ptr<MapOutput> output, const LineTable &lines);
  // Called on the thread of the run, while no worker maps:
  void take_shared(std::unique_ptr<SharedPartitions> shared) {
    shared_.push_back(std::move(shared));
  }
  GroupOutputs *outputs() { return &outputs_; }
  LineTable *lines() { return &names_.lines; }
  // Makes an interim answer of groups that belong to no worker.
  virtual Status show_interim(Groups *groups, const Coverage &of);

 protected:
  // Makes rows with the columns of the aggregation, in this order.
  GroupingSink(Run *run, Aggregation aggregation, Order order);

  // Number of value words per record, and which of them may point into the chunk.
  virtual i64 value_width() const { return run_.program.map.value_width(); }
  virtual Borrowing borrowing() const { return run_.program.map.borrowing(); }
  // Keeps the memory of rows within that of a worker.
  virtual Status relieve(RowStore *store) { return rows_->relieve(store); }
  // Returns the filter before `to`, which takes reduced groups, or null if there is none. `faults`,
  // which may be null, collects the faults of its results.
  virtual std::unique_ptr<GroupFilter> make_filter(GroupSink *to, ResultFaults *faults) const;
  // Returns the rows if they are in order already.
  virtual std::optional<Rows> sorted() { return std::nullopt; }
  virtual std::unique_ptr<Formatter> make_formatter(const RowShape &shape,
                                                    const RowLayout &rows) const;

  // For printed interim answers: the filter before `to`, and the order of rows.
  virtual std::unique_ptr<GroupFilter> make_interim_filter(GroupSink *to) const {
    return make_filter(to, nullptr);
  }
  virtual Order interim_order() const { return run_.program.live.order.value_or(rows_->order()); }
  // Makes rows of groups. `printed`: filters them and adds the row of the total, as the answer
  // does.
  Result<std::unique_ptr<InterimRows>> interim_rows(Groups *groups, Order order, bool printed);

  // Returns the settings of rows in this order.
  OrderedRows::Spec rows_in(Order order) const;
  // Drops the results of a round, before the next.
  void forget();

  Run &run_;
  PositionNames names_;  // how positions are shown; complete after map
  ValueRuns value_runs_;
  StateLayout layout_;  // must not change while another thread shows states
  SavedGroups saved_;
  KeptGroups kept_;
  std::unique_ptr<OrderedRows> rows_;
  GroupOutputs outputs_;  // outputs of map, by worker

 private:
  class Reduction;
  class LastRow;

  RowShape interim_shape(const Coverage &of) const;
  void add_total_row(const Order &order, const State *state, RowStore *store) const;
  // Sets the total to which columns of groups refer.
  void set_total(std::unique_ptr<TotalState> total) {
    all_groups_ = std::move(total);
    layout_.set_total(all_groups_->state());
  }
  Status stage_shared();
  Status spill_the_rest();
  Status adopt_results();
  void count_outputs();

  std::vector<std::unique_ptr<SharedPartitions>> shared_;  // by group of CPUs; may be empty
  Seed seed_;                                              // seed of this round
  bool staged_ = false;  // outputs have staged records, whose keys do not stay in memory
  std::unique_ptr<GroupTotal> total_;       // the total, if the job prints its row
  std::unique_ptr<TotalState> all_groups_;  // the total, if columns refer to it
  std::unique_ptr<Conduct> conduct_;
  std::unique_ptr<PartialGroups> partial_;  // null: groups become rows
};

// The stage that groups. The stage of plugins derives from it.
class GroupStage : public Stage {
 public:
  explicit GroupStage(const Program &program) : program_(program) {}

  i64 record_bytes() const override { return program_.map.record_bytes; }
  bool can_start_over() const override { return !program_.aggregation.calls_plugins; }
  void plan(Plan *plan) const override;
  std::unique_ptr<Hand> make_sampler(const Plan &plan, Sample *sample,
                                     BadRecordSink *bad) const override;
  Result<std::unique_ptr<StageSink>> make_sink(Run *run) const override;

 protected:
  const Program &program_;
};

}  // namespace mrc
