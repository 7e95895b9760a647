// Map, group, combine and reduce: the sink of jobs that make rows of keys.
#pragma once

#include "combine/value_runs.h"
#include "engine/group_total.h"
#include "engine/positions.h"
#include "engine/result_faults.h"
#include "engine/run.h"
#include "engine/sinks/checkpoint_groups.h"
#include "engine/sinks/group_worker.h"
#include "engine/sinks/isolated_groups.h"
#include "engine/sinks/kept_groups.h"
#include "engine/sinks/live_groups.h"
#include "engine/sinks/partial_groups.h"
#include "reduce/grand_total.h"
#include "reduce/tile_reducer.h"
#include "rows/ordered_rows.h"

#include <memory>
#include <vector>

namespace mrc {

// Rows of an interim answer, in order. Their keys and states are those of the groups.
struct InterimRows {
  explicit InterimRows(OrderedRows::Spec spec) : ordered(std::move(spec), 1) {}

  WorkerPool pool{1};
  OrderedRows ordered;
  std::unique_ptr<RowStore> last;  // the row of all groups together; null: there is none
  std::vector<Row> rows;
};

// Virtual is what a plugin may replace.
class GroupingSink : public StageSink {
 public:
  explicit GroupingSink(Run *run)
      : GroupingSink(run, run->program.aggregation, run->program.order) {}

  Status open() override;
  std::unique_ptr<Hand> make_hand(i64 worker, BadRecordSink *bad) override;
  bool claims_in_order() const override { return run_.program.live.in_order; }
  void begin(ChunkSource *) override;
  void stop() override;
  Status take_part(i64 worker, SealedPart part) override;
  void end_worker(i64 worker) override { isolated_->end(worker); }
  Status end(Report *report) override;
  Status reduce() override;
  Result<Answer> finish() override;
  Status close() override;

 protected:
  // Rows have the columns of the aggregation, and are put in this order.
  GroupingSink(Run *run, Aggregation aggregation, Order order);

  virtual std::unique_ptr<Mapper> make_mapper(BadRecordSink *bad) const;
  // Words of values for each record, and which of them may point into the chunk.
  virtual i64 value_width() const { return run_.program.map.value_width(); }
  virtual Borrowing borrowing() const { return run_.program.map.borrowing(); }
  // Keeps rows within the memory of a worker.
  virtual Status relieve(RowStore *store) { return rows_->relieve(store); }
  // Returns the filter before `to`, which takes reduced groups, or null if there is none. `faults`,
  // which may be null, collects the faults of its results.
  virtual std::unique_ptr<GroupFilter> make_filter(GroupSink *to, ResultFaults *faults) const;
  // Returns the rows if they are in order already.
  virtual std::optional<Rows> sorted() { return std::nullopt; }
  virtual std::unique_ptr<Formatter> make_formatter(const RowShape &shape,
                                                    const RowLayout &rows) const;

  // Of interim answers: what stands before rows that are printed, and their order.
  virtual std::unique_ptr<GroupFilter> make_interim_filter(GroupSink *to) const {
    return make_filter(to, nullptr);
  }
  virtual Order interim_order() const { return run_.program.live.order.value_or(rows_->order()); }
  // Makes an answer of groups that are no worker's.
  virtual Status show_interim(Groups *groups, const Coverage &of);
  // `printed`: as the answer has them; else all, as they are.
  Result<std::unique_ptr<InterimRows>> interim_rows(Groups *groups, Order order, bool printed);

  // What rows of this order need.
  OrderedRows::Spec rows_in(Order order) const;
  // Forgets what a round has made, before the next.
  void forget();

  Run &run_;
  PositionNames names_;  // what positions mean, complete after map
  ValueRuns value_runs_;
  StateLayout layout_;  // constant while others show states
  std::unique_ptr<OrderedRows> rows_;
  std::vector<std::unique_ptr<MapOutput>> outputs_;  // of map, by worker

 private:
  class GroupHand;
  class TiledHand;
  class KeptHand;
  class CheckpointHand;
  class LiveHand;
  class IsolatedHand;
  class Reduction;
  class LastRow;

  GroupSettings settings() const;
  // The same, with the partitions that the worker shares with others.
  GroupSettings settings_of(i64 worker);
  TileSpec tile_spec() const;
  EagerSpec eager_spec() const;
  void end_tiles();
  bool reduces_runs() const;
  Status end_runs();
  // An error of reducers, or of values on disk. Any thread.
  Status failure() const;
  void begin_live(const ChunkSource *source);
  RowShape interim_shape(const Coverage &of) const;
  void add_total_row(const Order &order, const State *state, RowStore *store) const;
  // What is shown from now on is beside this.
  void set_total(std::unique_ptr<TotalState> total) {
    all_groups_ = std::move(total);
    layout_.set_total(all_groups_->state());
  }
  Status stage_shared();
  Status spill_the_rest();
  Status take_kept();
  Status take_saved();
  Status take_isolated();
  Status take_merged();
  void count_outputs();

  // By group of CPUs; both may be empty, and one is.
  std::vector<std::unique_ptr<SharedPartitions>> shared_;
  std::vector<std::unique_ptr<TileReducer>> tiles_;
  Seed seed_;                                      // of this round
  std::unique_ptr<KeptGroups> kept_;               // null: nothing is kept for later runs
  std::unique_ptr<CheckpointGroups> checkpoints_;  // null: none are made
  std::unique_ptr<IsolatedGroups> isolated_;       // null: workers are threads
  std::unique_ptr<PartialGroups> partial_;         // null: groups become rows
  bool staged_ = false;                            // keys do not stay where they were reduced
  std::unique_ptr<GroupTotal> total_;              // of reduce, if the job has one
  std::unique_ptr<TotalState> all_groups_;         // if columns show what groups have of it
  std::unique_ptr<LiveGroups> live_;               // null: there are no interim answers
  std::unique_ptr<EagerReducer> runs_;             // null: what is spilled waits for reduce
};

}  // namespace mrc
