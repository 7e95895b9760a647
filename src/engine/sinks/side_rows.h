// Rows of the chunks of a join, made by one worker: of one side, in a round for each, or of both.
#pragma once

#include "engine/inner/input_scan.h"
#include "join/join.h"
#include "join/joined_rows.h"
#include "rows/ordered_rows.h"
#include "rows/record_rows.h"

#include <array>
#include <memory>
#include <utility>

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

// Makes rows of the records of both sides.
class SideRows : public ChunkRows {
 public:
  // All arguments outlive this.
  SideRows(const Join &join, const InputReaders &readers, const Order &order, BadRecordSink *bad)
      : spec_(join.spec),
        order_(order),
        records_{SideRecords(join.sides[kLeft], readers, bad),
                 SideRecords(join.sides[kRight], readers, bad)} {}

  i64 add(const Chunk &chunk, RowStore *rows) override {
    const Side side = spec_.side_of(chunk.source);
    SideWriter writer(side, order_, rows, spec_.keeps(side));
    return records_[side].each(chunk, [&](const SideRecord &record) {
      writer.add(record);
      return true;
    });
  }

 private:
  const JoinSpec &spec_;
  const Order &order_;
  std::array<SideRecords, 2> records_;
};

}  // namespace mrc
