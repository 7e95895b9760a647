// split: hands the chunks of a queue to commands.
#pragma once

#include "input/input.h"
#include "split/split_queue.h"

#include <atomic>
#include <memory>

namespace mrc {

// Commands that open the same feed share its queue: each chunk goes to one of them. The last record
// of an input may lack its terminator, and gets it.
class ChunkFeed : public Feed {
 public:
  // `commands` will open it.
  ChunkFeed(QueueSpec spec, char terminator, bool wants_all, i64 commands = 1);

  std::unique_ptr<Reader> open() override;
  bool wants_all() const override { return wants_all_; }
  std::string remedy() const override;

 private:
  SplitQueue queue_;
  const char terminator_;
  const bool wants_all_;
  std::atomic<i64> commands_;  // those that have not given up
};

// Returns splits of about `bytes` of a file of sorted lines. Lines that have the same bytes up to
// the first tab are in one split.
Result<std::vector<Split>> split_by_key(const Source &source, i64 index, i64 bytes,
                                        char terminator);

}  // namespace mrc
