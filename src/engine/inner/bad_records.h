// Counts malformed records and values, and finds the first of each. Keeps the records, too, if the
// program asks for that.
#pragma once

#include "engine/engine.h"
#include "engine/inner/positions.h"
#include "input/input.h"
#include "kept/kept.h"
#include "map/map.h"
#include "output/output.h"
#include "record.h"
#include "store/store.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace mrc {

// Ignores malformed records that another reading of the input reports.
class IgnoredRecords : public BadRecordSink {
 public:
  void take(const Chunk &, const BadRecord &) override {}
};

// Counts the faults of one kind in the input, and finds the first. The faults that one worker has
// met, or several together. The first fault is the first in the input, in whatever order workers
// meet them. Not thread safe.
class Complaint {
 public:
  explicit Complaint(RecordEnd end) : end_(end) {}

  // Adds a fault of a record. The message quotes `shown`, which is a part of the record or a copy.
  // If a record has several faults, the one added first counts as the first.
  void add(const Chunk &chunk, Bytes record, const char *reason, Bytes shown);
  void add(const Complaint &other);
  // Adds the faults that an earlier run has met.
  void add(i64 count, const KeptFlaw &first);
  // Drops the faults after `position`, so that `count` are left.
  void forget_beyond(u64 position, i64 count);

  i64 count() const { return count_; }
  const KeptFlaw &first() const { return first_; }
  // Returns the position of the first record with a fault; all ones if there is none.
  u64 first_position() const { return first_.position; }

  // Returns "NAME:NUMBER: REASON: SHOWN" of the first fault. `stream_lines`, sealed, has the chunks
  // of streams, which cannot be read again. Compressed files are read again if an earlier run has
  // read some of their lines. REQUIRES: count() > 0
  std::string describe_first(std::span<const Source> sources, const LineTable &stream_lines) const;

 private:
  std::string number_of_first(const Source &source, const LineTable &stream_lines) const;

  RecordEnd end_;
  i64 count_ = 0;
  KeptFlaw first_;
};

// The malformed records and values that one worker has met, or several together. Not thread safe.
class BadRecords : public BadRecordSink {
 public:
  // `keep`: keeps the bytes of records; if they are many, in a file in `tmpdir`. `end`: how records
  // of the program end.
  BadRecords(bool keep, RecordEnd end, std::string tmpdir)
      : keep_(keep), end_(end), tmpdir_(std::move(tmpdir)), records_(end), values_(end) {}

  void take(const Chunk &chunk, const BadRecord &bad) override;
  void take_value(const Chunk &chunk, const BadField &bad) override;
  void take_field(const FieldName &name, bool is_there) override { fields_[name.text] |= is_there; }
  void count_used(i64 records) override { used_ += records; }
  void take_open_quote() override { has_open_quote_ = true; }
  bool has_open_quote() const { return has_open_quote_; }
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
  // Drops the malformed records after `position`, and the malformed values if they are not too many
  // to be kept in mind. REQUIRES: records are kept
  void forget_beyond(u64 position);

  // Writes the records of all workers, each with its terminator, in the order of the input.
  static Status write(const std::vector<BadRecords *> &of_workers, OutputFile *output);

 private:
  static constexpr i64 kMostBuffered = i64{1} << 20;
  static constexpr size_t kMostValues = size_t{1} << 16;

  struct Kept {
    u64 position;
    i64 offset, size;  // counted through the file, then the buffer
  };

  void keep(u64 position, Bytes record);
  Status spill();
  Result<std::string> read(const Kept &kept) const;

  bool keep_;
  RecordEnd end_;
  std::string tmpdir_;
  Complaint records_, values_;
  std::map<std::string, bool> fields_;
  i64 used_ = 0;
  bool has_open_quote_ = false;
  std::vector<Kept> kept_;
  std::vector<u64> value_positions_;  // of the first kMostValues values, if records are kept
  std::string buffer_;
  i64 spilled_ = 0;  // bytes
  std::optional<RunFile> file_;
  Status status_ = Status::ok();
};

// Returns an error if the file of malformed records would replace an input or the answer.
Status check_bad_path(const Program &program);

// Counts the malformed records and values of a part of the input, and passes them on.
class CountedBad : public BadRecordSink {
 public:
  CountedBad(BadRecordSink *sink, char terminator)
      : sink_(*sink), none_(terminator), records_(terminator), values_(terminator) {}

  void take(const Chunk &chunk, const BadRecord &bad) override {
    records_.add(chunk, bad.record, bad.reason, bad.record);
    sink_.take(chunk, bad);
  }
  void take_value(const Chunk &chunk, const BadField &bad) override {
    values_.add(chunk, bad.record, bad.reason, bad.value);
    sink_.take_value(chunk, bad);
  }
  void take_field(const FieldName &name, bool is_there) override {
    sink_.take_field(name, is_there);
  }
  void count_used(i64 used) override {
    used_ += used;
    sink_.count_used(used);
  }
  void take_open_quote() override { sink_.take_open_quote(); }
  // Adds the counts to the portion and the first faults to its flaws, and starts over.
  void move_to(Portion *portion, KeptFlaws *flaws) {
    portion->bad_records += records_.count();
    portion->bad_values += values_.count();
    if (records_.count() + values_.count() + used_ == 0) return;
    flaws->add({std::exchange(used_, 0), records_.first(), values_.first()});
    records_ = values_ = none_;
  }

 private:
  BadRecordSink &sink_;
  const Complaint none_;
  Complaint records_, values_;
  i64 used_ = 0;
};

}  // namespace mrc
