// Records become rows with sort keys, which are spilled as sorted runs when memory is short.
#include "engine/sinks/sinks.h"
#include "rows/keyed_records.h"

namespace mrc {
namespace {

class SortSink : public Sink {
 public:
  explicit SortSink(Run *run) : run_(*run) {
    run_.stores.resize(static_cast<size_t>(run_.pool.size()));
  }

  std::unique_ptr<Hand> make_hand(i64 worker, BadRecordSink *bad) override {
    return std::make_unique<RowHand>(&run_, worker, bad);
  }
  Status write() override { return write_answer_rows(&run_); }

 private:
  class RowHand : public Hand {
   public:
    RowHand(Run *run, i64 worker, BadRecordSink *bad)
        : run_(*run),
          worker_(worker),
          store_(std::make_unique<RowStore>(run->row_layout, KeyBytes::copied)),
          rows_of_(make_chunk_rows(*run->job.sort, run->job.map.fields, *run->plan.scanner,
                                   run->order, run->plan.readers.get(), bad)) {}

    Status take(const Chunk &chunk, i64 *records) override {
      *records += rows_of_->add(chunk, store_.get());
      return run_.spill_if_large(store_.get());
    }

    Status seal(bool) override {
      run_.stores[static_cast<size_t>(worker_)] = std::move(store_);
      return Status::ok();
    }

   private:
    Run &run_;
    const i64 worker_;
    std::unique_ptr<RowStore> store_;
    std::unique_ptr<ChunkRows> rows_of_;
  };

  Run &run_;
};

}  // namespace

std::unique_ptr<Sink> make_sort_sink(Run *run) { return std::make_unique<SortSink>(run); }

}  // namespace mrc
