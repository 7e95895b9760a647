// Records that could not be read, and values that do not fit: counted, the first one named.
// Records are kept as well if that is asked for.
#pragma once

#include "engine/complaint.h"
#include "engine/engine.h"
#include "map/map.h"
#include "output/output.h"
#include "store/store.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mrc {

// The bad records that one worker has met, or several together. Not thread safe.
class BadRecords : public BadRecordSink {
 public:
  // `keep`: their bytes are wanted, too; what is much goes to a file in `tmpdir`.
  // The terminator is that of the program.
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
  // The fields that were looked for, and whether a record has them.
  const std::map<std::string, bool> &fields() const { return fields_; }
  // An error of the temporary file.
  Status status() const { return status_; }

  const Complaint &records() const { return records_; }
  const Complaint &values() const { return values_; }
  bool any() const { return records_.count() + values_.count() > 0; }
  // Where the first record is that is bad or has a bad value; beyond all if there is none.
  u64 first_position() const {
    return std::min(records_.first_position(), values_.first_position());
  }
  i64 used() const { return used_; }

  // Takes over what is to be said, and not the records that are kept.
  void add(const BadRecords &other);
  // The same, of an earlier run.
  void add(i64 records, i64 values, const KeptFlaws &flaws);
  // Hands all that it was told to another process, and forgets it. An error of the temporary file.
  Status move_to(std::string *message);
  // Takes that over, to begin with.
  void take(Bytes *message);
  // As if the records beyond that position had never been met. REQUIRES: they are kept
  void forget_beyond(u64 position);

  // Writes the records of all workers, each with its terminator, in the order of the input.
  static Status write(const std::vector<BadRecords *> &of_workers, OutputFile *output);

 private:
  static constexpr i64 kMostBuffered = i64{1} << 20;

  struct Kept {
    u64 position;
    i64 offset, size;  // in the file, or past its end in the buffer
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

// An error if the job's bad records would replace one of its inputs, or its answer.
Status check_bad_path(const Program &program);

}  // namespace mrc
