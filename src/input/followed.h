// An input that is followed: what arrives while the job runs.
#pragma once

#include "base/status.h"
#include "input/input.h"

#include <functional>
#include <memory>
#include <string>

namespace mrc {

// What a look at an input has found.
struct Arrival {
  enum class What {
    nothing,  // nothing new
    bytes,    // so many bytes, of that generation
    end,      // that generation has no more; a record that it has begun is whole
    over,     // the input has no more
  };
  What what = What::nothing;
  i64 generation = 0;  // a file that is rotated begins a new one; from 0
  i64 bytes = 0;
};

// One input. One thread at a time.
class Followed {
 public:
  // Takes what people should know, and what is wrong.
  struct Listener {
    std::function<void(const std::string &message)> note;
    std::function<void(const Status &what)> complain;
  };

  virtual ~Followed() = default;
  // Reads up to `room` bytes of what has come since the last look. Waits for nothing.
  virtual Arrival next(char *to, i64 room) = 0;
  // What poll(2) waits for; -1: that would tell nothing.
  virtual int poll_fd() const { return -1; }
};

// Follows a file from `source.end` on, or a pipe or terminal from its start. The error says why it
// cannot be opened.
Result<std::unique_ptr<Followed>> follow_file(const Source &source, Followed::Listener listener);
Result<std::unique_ptr<Followed>> follow_pipe(const Source &source, Followed::Listener listener);

}  // namespace mrc
