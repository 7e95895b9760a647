// Records that are decoded once, for several programs that each read some of their fields.
#pragma once

#include "fields/fields.h"

#include <memory>
#include <span>
#include <vector>

namespace mrc {

// The records of a batch that are wanted, by ascending indexes. Borrowed: valid while they are in
// Chunk::decoded.
struct DecodedRecords {
  const RecordBatch &batch;
  std::span<const u16> selection;
};

// Makes a reader of Chunk::decoded. `columns`: where the batch has the reader's fields, in their
// order. Each chunk stands for its decoded records.
std::unique_ptr<RecordReader> make_decoded_reader(std::vector<size_t> columns);

}  // namespace mrc
