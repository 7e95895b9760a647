// Records that could not be read: counted, the first one named, all kept if asked.
#pragma once

#include "engine/engine.h"
#include "engine/line_table.h"
#include "input/input.h"
#include "map/map.h"
#include "output/output.h"
#include "store/store.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mrc {

// The bad records that one worker has met, or several together. Not thread safe.
class BadRecords : public BadRecordSink {
 public:
  // `keep`: their bytes are wanted, too; what is much goes to a file in `tmpdir`.
  BadRecords(bool keep, char terminator, std::string tmpdir)
      : keep_(keep), terminator_(terminator), tmpdir_(std::move(tmpdir)) {}

  // The terminator is that of the job.
  void take(const Chunk &chunk, const BadRecord &bad) override;
  // An error of the temporary file.
  Status status() const { return status_; }

  i64 count() const { return count_; }
  // Takes the count and the first one over.
  void add(const BadRecords &other);
  // As if those behind that position had never been met. REQUIRES: they are kept
  void forget_behind(u64 position);

  // "NAME:NUMBER: REASON: RECORD" of the first one. `stream_lines`, sealed, has the chunks
  // of streams, whose bytes are gone. REQUIRES: count() > 0
  std::string describe_first(std::span<const Source> sources, const LineTable &stream_lines) const;

  // Writes the records of all workers, each with its terminator, in the order of the
  // input, and commits.
  static Status write(const std::vector<BadRecords *> &of_workers, OutputFile *output);

 private:
  static constexpr i64 kMostBuffered = i64{1} << 20;

  struct First {
    u64 position = ~u64{0};
    u64 chunk = 0;  // the position of its chunk,
    i64 line = 0;   // ... and how many line ends that has before it
    std::string reason, record;
  };
  struct Kept {
    u64 position;
    i64 offset, size;  // in the file, or behind its end in the buffer
  };

  void keep(u64 position, Bytes record);
  Status spill();
  Result<std::string> read(const Kept &kept) const;

  bool keep_;
  char terminator_;
  std::string tmpdir_;
  i64 count_ = 0;
  First first_;
  std::vector<Kept> kept_;
  std::string buffer_;
  i64 spilled_ = 0;  // bytes
  std::optional<RunFile> file_;
  Status status_ = Status::ok();
};

// An error if the job's bad records would replace one of its inputs, or its answer.
Status check_bad_path(const Job &job);

}  // namespace mrc
