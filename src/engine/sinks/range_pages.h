// Makes the pages of a range index: the bounds of fields in chunks.
#pragma once

#include "engine/inner/bad_records.h"
#include "expr/indexed_field.h"
#include "expr/record_scan.h"
#include "kept/range_index.h"

#include <vector>

namespace mrc {

// One worker uses it.
class PageMaker {
 public:
  // REQUIRES: the fields are the first wanted ones, in their order; `readers` and `bad` outlive
  // this
  PageMaker(WantedFields wanted, const std::vector<IndexedField> &fields,
            const InputReaders &readers, char terminator, BadRecordSink *bad);

  // Makes the page of a chunk, without the hash of its content.
  RangeIndex::Page make(const Chunk &chunk);

 private:
  void note_bad(RangeIndex::Page *page);
  void take_batch();

  CountedBad bad_;
  RecordScan scan_;
  std::vector<BoundsBuilder> builders_;
};

}  // namespace mrc
