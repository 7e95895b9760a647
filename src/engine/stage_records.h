// The records that one stage of a chain hands to the next, in memory or, if they are too many, in a
// file.
#pragma once

#include "input/input.h"
#include "output/output.h"
#include "store/store.h"

#include <memory>
#include <string>

namespace mrc {

// One run writes it as its output, then the next one reads it as its only input.
class StageRecords : public OutputTarget {
 public:
  // `name`: for messages. `answer`: the output of the last stage, which may lose its reader
  // meanwhile. It outlives the records.
  StageRecords(std::string name, OutputFile *answer) : name_(std::move(name)), answer_(answer) {}

  // Sets how many bytes may stay in memory, and the directory for larger records. Call it before
  // the first write.
  void keep_within(i64 memory, const std::string &tmpdir);

  Status write(Bytes bytes) override;
  bool reader_left() override { return answer_ != nullptr && answer_->reader_left(); }

  // Returns the input of the next stage, which is valid while the records live. Call it when all is
  // written.
  Source source() const;
  i64 bytes_in_memory() const { return spilled_ ? 0 : size_; }

 private:
  Status make_file();
  Status spill();

  const std::string name_;
  OutputFile *answer_;
  i64 most_in_memory_ = 0;
  std::string tmpdir_;
  std::unique_ptr<RunFile> file_;  // null: nothing is written
  bool spilled_ = false;           // the file is on disk, not in memory
  i64 size_ = 0;
};

}  // namespace mrc
