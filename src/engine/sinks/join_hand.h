// Makes rows of the chunks of one side of a join, for one worker.
#pragma once

#include "engine/inner/scan.h"
#include "join/join.h"
#include "rows/ordered_rows.h"

#include <memory>

namespace mrc {

// `Writer` adds rows of a record to a store.
template <typename Writer>
class JoinHand : public Hand {
 public:
  // `make_writer` is called with the store. All arguments must outlive the hand.
  template <typename MakeWriter>
  JoinHand(OrderedRows *rows, i64 worker, const JoinSide &side, const InputReaders &readers,
           BadRecordSink *bad, MakeWriter make_writer)
      : rows_(*rows),
        worker_(worker),
        store_(rows_.take(worker)),
        records_(side, readers, bad),
        writer_(make_writer(store_.get())) {}

  Status take(const Chunk &chunk, i64 *records) override {
    *records += records_.each(chunk, [&](const SideRecord &record) {
      writer_.add(record);
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
  std::unique_ptr<RowStore> store_;
  SideRecords records_;
  Writer writer_;
};

}  // namespace mrc
