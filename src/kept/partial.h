// kept: a partial: what one or several runs have made of their input, as states, on its way to
// where it is merged with others (mrc-merge(1)).
//
// It is a run (store/store.h) of STATE records in 256 partitions of the unseeded hash of keys, and
// in each by key. Its last block has one record, which is no state: its variable part is the text
// of a Partial. Of jobs that put records in order, the records are rows: partitions are ranges
// that follow each other, and the rows of each are in the order of the job.
#pragma once

#include "base/int.h"
#include "base/status.h"
#include "fields/fields.h"
#include "store/store.h"

#include <bitset>
#include <optional>
#include <string>
#include <vector>

namespace mrc {

inline constexpr int kPartialBits = 8;
inline constexpr i64 kPartialPartitions = i64{1} << kPartialBits;
using PartitionSet = std::bitset<kPartialPartitions>;

// A stretch of a source that was mapped as a whole.
struct PartialUnit {
  i64 number = 0;  // in its table; of an input that was not cut: that of the source in it
  i64 source = 0;  // of the partial
  i64 begin = 0, end = 0;
  u64 content = 0;  // ContentHash of these bytes, with kPartialBase

  bool operator==(const PartialUnit &) const = default;
};
// All machines hash contents alike.
inline constexpr u64 kPartialBase = 0x6d7263'7061727469;

// What is wrong first, as messages say it, and how often something is.
struct PartialFlaw {
  i64 count = 0;
  u64 position = ~u64{0};  // the source in its upper 20 bits
  std::string said;

  void add(const PartialFlaw &other);
  bool operator==(const PartialFlaw &) const = default;
};

// What one run has mapped: it is merged as a whole, partition by partition.
struct PartialPiece {
  PartitionSet made;  // partitions that have states of it
  PartitionSet here;  // those of them that are in this partial
  std::vector<PartialUnit> units;
  i64 records = 0, used = 0;
  PartialFlaw bad_records, bad_values;
  std::vector<std::string> unread;  // messages: inputs that could not be read to their ends
  // Of jobs that number lines: positions of chunks, and how many line ends each has.
  struct Lines {
    u64 position = 0;
    i64 ends = 0;
    bool operator==(const Lines &) const = default;
  };
  std::vector<Lines> lines;

  bool operator==(const PartialPiece &) const = default;
};

// Sources that have one order wherever they are mapped: those of one run, or of one list of units.
struct PartialTable {
  u64 id = 0;
  i64 sources = 0;
  i64 units = 0;  // of the list that numbers them; 0: there is no list, or it is not known
  // How the first of them that has a header is read, if the job prints records. Else unset.
  std::optional<Dialect> header = {};

  bool operator==(const PartialTable &) const = default;
};

// Of a job that puts records in order: which of them are there, and how they are divided.
struct PartialRanges {
  i64 limit = -1;                      // only so many, the first; -1: all
  std::vector<std::string> splitters;  // between partitions, in the order of the job

  bool operator==(const PartialRanges &) const = default;
};

// Data only.
struct Partial {
  static constexpr i64 kVersion = 3;  // of the format: later ones are refused

  std::string mrc_version = {};              // that wrote it
  u64 digest = 0;                            // of what gives states their meaning
  std::string job = {};                      // Job::to_text(), without inputs
  std::optional<PartialRanges> ranges = {};  // of rows; unset: there are states of groups
  std::vector<PartialTable> tables = {};
  std::vector<std::string> sources = {};  // those of the tables, one after the other
  std::vector<PartialPiece> pieces = {};

  std::string to_text() const;
  // Takes any bytes. The error completes "NAME: "; it says what is wrong.
  static Result<Partial> from_text(Bytes text);
  bool operator==(const Partial &) const = default;
};

// Completes the run of a partial, whose states are written.
Status finish_partial(const Partial &partial, RunWriter *writer);
// A run that finish_partial() has completed. The errors name the file.
struct OpenPartial {
  Partial partial;
  std::vector<BlockInfo> blocks;  // of states
  i64 state_bytes = 0;
};
Result<OpenPartial> open_partial(const RunFile &file);

}  // namespace mrc
