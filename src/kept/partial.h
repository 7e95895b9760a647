// kept: a partial holds the states that one or several runs have made of their input. Another
// process merges it with others (mrc-merge(1)).
//
// It is a run (store/store.h) of STATE records in 256 partitions of the unseeded hash of keys,
// sorted by key in each. Its last block has one record that is no state: its variable part is the
// text of a Partial. For jobs that put records in order, the records are rows, the partitions are
// ranges that follow each other, and the rows of each are in the order of the job.
#pragma once

#include "base/int.h"
#include "base/status.h"
#include "fields/fields.h"
#include "input/input.h"
#include "store/store.h"

#include <bitset>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mrc {

inline constexpr int kPartialBits = 8;
inline constexpr i64 kPartialPartitions = i64{1} << kPartialBits;
using PartitionSet = std::bitset<kPartialPartitions>;

// A range of a source that is mapped as a whole.
struct PartialUnit {
  i64 number = 0;  // in its table; for an input that is not split: that of the source in the table
  i64 source = 0;  // index of the source in the partial
  i64 begin = 0, end = 0;
  u64 content = 0;  // ContentHash of these bytes, with kPartialBase

  bool operator==(const PartialUnit &) const = default;
};
// A constant, so that all machines hash contents alike.
inline constexpr u64 kPartialBase = 0x6d7263'7061727469;

// How many records or values are bad, and a message about the first.
struct PartialFlaw {
  i64 count = 0;
  u64 position = ~u64{0};  // of the first; its upper 20 bits are the source
  std::string said;

  void add(const PartialFlaw &other);
  bool operator==(const PartialFlaw &) const = default;
};

// The result of one run: it is merged as a whole, partition by partition.
struct PartialPiece {
  PartitionSet made;  // partitions that have states of it
  PartitionSet here;  // those that are in this partial
  std::vector<PartialUnit> units;
  i64 records = 0, used = 0;
  PartialFlaw bad_records, bad_values;
  std::vector<std::string> unread;  // messages about inputs that could not be read to their ends
  // For jobs that number lines: the positions of chunks, and how many line ends each has.
  struct Lines {
    u64 position = 0;
    i64 ends = 0;
    bool operator==(const Lines &) const = default;
  };
  std::vector<Lines> lines;

  bool operator==(const PartialPiece &) const = default;
};

// Sources that have one order in all processes: those of one run, or of one unit list.
struct PartialTable {
  u64 id = 0;
  i64 sources = 0;
  i64 units = 0;  // length of the unit list; 0: no list, or not known
  // How the first source with a header is read, if the job prints records; else unset.
  std::optional<Dialect> header = {};

  bool operator==(const PartialTable &) const = default;
};

// For a job that puts records in order: which of them are kept, and how they are divided.
struct PartialRanges {
  i64 limit = -1;                      // keeps this many of the first rows; -1: all
  std::vector<std::string> splitters;  // between partitions, in the order of the job

  bool operator==(const PartialRanges &) const = default;
};

// Data only.
struct Partial {
  static constexpr i64 kVersion = 3;  // of the format: later versions are refused

  std::string mrc_version = {};              // the version that wrote it
  u64 digest = 0;                            // a hash of all that defines the meaning of states
  std::string job = {};                      // Job::to_text(), without inputs
  std::optional<PartialRanges> ranges = {};  // set: records are rows; unset: states of groups
  std::vector<PartialTable> tables = {};
  std::vector<std::string> sources = {};  // those of all tables, in order
  std::vector<PartialPiece> pieces = {};

  std::string to_text() const;
  // Accepts any bytes. The error completes "NAME: " and says what is wrong.
  static Result<Partial> from_text(Bytes text);
  bool operator==(const Partial &) const = default;
};

// Completes the run of a partial after its states.
Status finish_partial(const Partial &partial, RunWriter *writer);
// A run that finish_partial() has completed. Errors name the file.
struct OpenPartial {
  Partial partial;
  std::vector<BlockInfo> blocks;  // all blocks of states
  i64 state_bytes = 0;
};
Result<OpenPartial> open_partial(const RunFile &file);

// Reads partials from files, pipes and lines of text.
//
// A line is the number of a partition, a tab, and a whole partial of this partition alone in
// base64. So any tool that sorts, groups and sends lines can stand between two machines.

// A partial, or the part of it in one line.
struct PartialStates {
  std::string name;  // for messages
  bool is_line = false;
  std::shared_ptr<const RunFile> file;  // has the blocks
  OpenPartial opened;
};
using TakePartial = std::function<Status(PartialStates)>;

// Calls `take` with all partials of an input. The content of pipes and lines goes to a temporary
// file in `tmpdir`. Errors name the input and the line.
Status read_partials(const Source &source, const std::string &tmpdir, const TakePartial &take);

// Calls `take` with the lines of a partial, one for each of its partitions, at least one. Each ends
// with a line end.
Status write_partial_lines(const RunFile &file, const std::function<Status(Bytes line)> &take);

}  // namespace mrc
