// What one stage of a chain hands to the next: in memory, or in a file when it is more than that.
#pragma once

#include "input/input.h"
#include "output/output.h"
#include "store/store.h"

#include <memory>
#include <string>

namespace mrc {

// Written by one run as its output, then read by the next one as its only input.
class StageRecords : public OutputTarget {
 public:
  // `name`: for messages. `answer`: the output of the last stage, which may lose its reader while
  // this is written. It outlives the records.
  StageRecords(std::string name, OutputFile *answer) : name_(std::move(name)), answer_(answer) {}

  // Before the first write: how many bytes may stay in memory, and where the others go.
  void keep_within(i64 memory, const std::string &tmpdir);

  Status write(Bytes bytes) override;
  bool reader_left() override { return answer_ != nullptr && answer_->reader_left(); }

  // When all is written. As long as the records live.
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
  bool spilled_ = false;           // the file is in the directory, and not in memory
  i64 size_ = 0;
};

}  // namespace mrc
