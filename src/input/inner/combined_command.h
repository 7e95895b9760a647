// The output of a command, combined by copies of another command.
#pragma once

#include "input/inner/line_batch.h"
#include "input/input.h"
#include "input/stream.h"

#include <memory>
#include <optional>
#include <string>

namespace mrc {

class CombinedCommand : public Stream {
 public:
  // Starts the source's command. REQUIRES: the source has a feed and a combiner
  static Result<std::unique_ptr<Stream>> open(const Source &source);
  Result<i64> read(char *to, i64 size) override;

 private:
  explicit CombinedCommand(const Source &source);
  void read_on();
  void fill();
  void start_combiner();
  void read_combiner();
  void take_output(i64 bytes);
  void end_combiner();
  i64 check_lines(Bytes lines);
  Status check_key(Bytes line);

  const std::shared_ptr<Combiner> spec_;
  const double most_seconds_;
  InputFile command_;
  bool has_ended_ = false;             // the command has
  Status end_ = Status::ok();          // how it has
  LineBatch batch_;                    // outlives the combiner, which reads it
  std::optional<InputFile> combiner_;  // reads the batch
  i64 at_ = 0;                         // the line of the batch whose key was printed last
  std::string output_;                 // of the combiner
  i64 have_ = 0;                       // bytes of the output; the others are room
  i64 checked_ = 0, taken_ = 0;        // bytes of it that were checked, and returned
  std::optional<Status> last_ = {};    // returned after all lines: the end, or a failure
};

}  // namespace mrc
