// Counts malformed records and values, and finds the first of each. Keeps the records, too, if the
// program asks for that.
#pragma once

#include "engine/engine.h"
#include "engine/inner/complaint.h"
#include "map/map.h"
#include "output/output.h"
#include "store/store.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mrc {

// The malformed records and values that one worker has met, or several together. Not thread safe.
class BadRecords : public BadRecordSink {
 public:
  // `keep`: keeps the bytes of records; if they are many, in a file in `tmpdir`. `terminator`: the
  // program's.
  BadRecords(bool keep, char terminator, std::string tmpdir)
      : keep_(keep),
        terminator_(terminator),
        tmpdir_(std::move(tmpdir)),
        records_(terminator),
        values_(terminator) {}

  void take(const Chunk &chunk, const BadRecord &bad) override;
  void take_value(const Chunk &chunk, const BadField &bad) override;
  void take_field(const FieldName &name, bool is_there) override { fields_[name.text] |= is_there; }
  void count_used(i64 records) override { used_ += records; }
  // Returns the fields that were looked up, and whether any record has them.
  const std::map<std::string, bool> &fields() const { return fields_; }
  // Returns an error of the temporary file.
  Status status() const { return status_; }

  const Complaint &records() const { return records_; }
  const Complaint &values() const { return values_; }
  bool any() const { return records_.count() + values_.count() > 0; }
  // Returns the position of the first record that is malformed or has a malformed value; all ones
  // if there is none.
  u64 first_position() const {
    return std::min(records_.first_position(), values_.first_position());
  }
  i64 used() const { return used_; }

  // Adds the counts and first faults of another, but not its kept records.
  void add(const BadRecords &other);
  // Adds the counts and first faults of an earlier run.
  void add(const Portion &counts, const KeptFlaws &flaws);
  // Moves its contents into a message for another process. Returns an error of the temporary file.
  Status move_to(std::string *message);
  // Adds the contents of such a message.
  void take(Bytes *message);
  // Drops the malformed records after `position`. REQUIRES: records are kept
  void forget_beyond(u64 position);

  // Writes the records of all workers, each with its terminator, in the order of the input.
  static Status write(const std::vector<BadRecords *> &of_workers, OutputFile *output);

 private:
  static constexpr i64 kMostBuffered = i64{1} << 20;

  struct Kept {
    u64 position;
    i64 offset, size;  // counted through the file, then the buffer
  };

  void keep(u64 position, Bytes record);
  Status spill();
  Result<std::string> read(const Kept &kept) const;

  bool keep_;
  char terminator_;
  std::string tmpdir_;
  Complaint records_, values_;
  std::map<std::string, bool> fields_;
  i64 used_ = 0;
  std::vector<Kept> kept_;
  std::string buffer_;
  i64 spilled_ = 0;  // bytes
  std::optional<RunFile> file_;
  Status status_ = Status::ok();
};

// Returns an error if the file of malformed records would replace an input or the answer.
Status check_bad_path(const Program &program);

}  // namespace mrc
