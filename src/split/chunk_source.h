// split: where chunks come from: splits and streams, splits that a plugin makes, a sample's pieces.
#pragma once

#include "base/status.h"
#include "record.h"

#include <memory>
#include <optional>

namespace mrc {

// Which of its group's tiles a unit is in (tile_queue.h): what is finished together.
struct TilePlace {
  i64 number = 0;        // in the order in which the group begins them
  i64 units_before = 0;  // of the tile before, if this unit begins a tile: it has no more
};

// The grain of order, progress and retry: a split of a file, or a block of a stream. One
// worker claims it and takes its chunks.
struct Unit {
  i64 source = -1;
  i64 begin = 0, end = 0;  // of its source, decompressed
  i64 number = 0;          // among the units of its source, from 0 in their order
  bool last = false;       // of its source: each source that has units has one
  TilePlace tile = {};
  // Of a followed input, after all that was there: numbered among those of all sources, from 0 in
  // the order of arrival.
  bool arrived = false;
};

// What a reader has read so far.
struct ReadCounts {
  i64 units = 0, stolen = 0;  // stolen: from the shares of other groups of CPUs
  i64 bytes = 0;              // of chunks
  // Of splits whose memory node is known; of them, on the node of the reader's group.
  i64 placed_bytes = 0, near_bytes = 0;
};

// All chunks of a scan. Thread safe.
class ChunkSource {
 public:
  virtual ~ChunkSource() = default;

  // One worker's way through the source, made and used by it.
  class Reader {
   public:
    virtual ~Reader() = default;
    // Claims the next unit; nullopt: there are no more.
    virtual Result<std::optional<Unit>> claim() = 0;
    // The next chunk of that unit; nullopt at its end. It stays readable, kPadding bytes
    // further, until the next call. An error is fatal to the job.
    virtual Result<std::optional<Chunk>> next() = 0;

    const ReadCounts &counts() const { return counts_; }

   protected:
    ReadCounts counts_;
  };
  // Must not outlive the source.
  virtual std::unique_ptr<Reader> make_reader(i64 worker) = 0;

  // Makes claim() answer "no more". Any time.
  virtual void cancel() = 0;
  // The same, but a record that has begun to arrive is handed out as it is. Any time.
  virtual void end_input() { cancel(); }
  // No more is wanted of an input: its units may have no chunks from now on. Any time.
  virtual void skip(i64 /*source*/) {}
  // Whether all is claimed of what comes before this source, and before any place in it that
  // has been claimed: a search for the first of something can end then.
  virtual bool all_claimed_before(i64 source) const = 0;
  // Of the input claimed so far, for progress; of what is compressed, as it is stored.
  virtual i64 bytes_claimed() const { return 0; }
  // Of them, those that were compressed.
  virtual i64 packed_bytes() const { return 0; }
};

}  // namespace mrc
