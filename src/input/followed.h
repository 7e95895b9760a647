// An input that is followed: data that arrives while the job runs.
#pragma once

#include "base/status.h"
#include "input/input.h"

#include <functional>
#include <memory>
#include <string>

namespace mrc {

// Result of a look at an input.
struct Arrival {
  enum class What {
    nothing,  // nothing new
    bytes,    // `bytes` bytes arrived, of `generation`
    end,      // `generation` has ended; a record that it has begun is complete
    over,     // the input has ended
  };
  What what = What::nothing;
  i64 generation = 0;  // counts from 0; rotating a file begins a new one
  i64 bytes = 0;
};

// One input. One thread at a time.
class Followed {
 public:
  // Receives notes and errors for the user.
  struct Listener {
    std::function<void(const std::string &message)> note;
    std::function<void(const Status &what)> complain;
  };

  virtual ~Followed() = default;
  // Reads up to `room` bytes that have arrived since the last look. Does not block.
  virtual Arrival next(char *to, i64 room) = 0;
  // File descriptor for poll(2); -1 if polling is of no use.
  virtual int poll_fd() const { return -1; }
};

// Follows a file from `source.end` on, or a pipe or terminal from its start. Fails if it cannot be
// opened.
Result<std::unique_ptr<Followed>> follow_file(const Source &source, Followed::Listener listener);
Result<std::unique_ptr<Followed>> follow_pipe(const Source &source, Followed::Listener listener);

}  // namespace mrc
