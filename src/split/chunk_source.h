// split: sources of chunks: splits and streams, splits that a plugin makes, pieces of a sample.
#pragma once

#include "base/status.h"
#include "record.h"

#include <memory>
#include <optional>

namespace mrc {

// A unit's place among the tiles of its group (tile_queue.h). The units of a tile are finished
// together.
struct TilePlace {
  i64 number = 0;  // in the order in which the group begins them
  // If the unit begins a tile: number of units of the previous tile, which is complete.
  i64 units_before = 0;
};

// The grain of order, progress and retry: a split of a file, or a block of a stream. One worker
// claims it and reads its chunks.
struct Unit {
  i64 source = -1;
  i64 begin = 0, end = 0;  // offsets in the decompressed source
  i64 number = 0;          // index among the units of its source
  bool last = false;       // last unit of its source; each source with units has one
  TilePlace tile = {};
  // Data that arrived after the start of the scan on a followed input. Such units are numbered
  // across all sources, from 0 in the order of arrival.
  bool arrived = false;
};

// Totals of one reader.
struct ReadCounts {
  i64 units = 0, stolen = 0;  // stolen: taken from the shares of other groups of CPUs
  i64 bytes = 0;              // total size of chunks
  // Bytes of splits whose memory node is known; near: the node is that of the reader's group.
  i64 placed_bytes = 0, near_bytes = 0;
};

// The source of all chunks of a scan. Thread safe.
class ChunkSource {
 public:
  virtual ~ChunkSource() = default;

  // One worker's access to the source, made and used by that worker.
  class Reader {
   public:
    virtual ~Reader() = default;
    // Claims the next unit; nullopt if none is left.
    virtual Result<std::optional<Unit>> claim() = 0;
    // Returns the next chunk of that unit; nullopt at its end. The chunk and kPadding bytes past it
    // stay readable until the next call. An error is fatal to the job.
    virtual Result<std::optional<Chunk>> next() = 0;

    const ReadCounts &counts() const { return counts_; }

   protected:
    ReadCounts counts_;
  };
  // The reader must not outlive the source.
  virtual std::unique_ptr<Reader> make_reader(i64 worker) = 0;

  // Makes claim() return nullopt from now on. Callable at any time.
  virtual void cancel() = 0;
  // Ends the input as cancel() does, but delivers a record that has begun to arrive. Callable at
  // any time.
  virtual void end_input() { cancel(); }
  // Drops the rest of an input: its units may have no chunks from now on. Callable at any time.
  virtual void skip(i64 /*source*/) {}
  // True if all input is claimed that comes before this source, and before any claimed position in
  // it. A search for the first of something can end then.
  virtual bool all_claimed_before(i64 source) const = 0;
  // Bytes of input claimed so far, for progress; compressed input counts by its compressed size.
  virtual i64 bytes_claimed() const { return 0; }
  // Number of those bytes that were compressed.
  virtual i64 packed_bytes() const { return 0; }
};

}  // namespace mrc
