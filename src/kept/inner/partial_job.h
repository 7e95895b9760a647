// kept: the job of all partials that are merged.
#pragma once

#include "kept/partial_reader.h"

#include <string>

namespace mrc {

// One thread.
class PartialJob {
 public:
  // Takes the job of the first partial, and checks that others have the same. An error names the
  // partial and the one that it does not fit.
  Status take(const PartialStates &states);

  // Returns the job, without pieces. Its ranges have the smallest limit of all.
  const Partial &partial() const { return job_; }
  i64 state_bytes() const { return state_bytes_; }

 private:
  void take_job(const PartialStates &states);
  Status other_job(const PartialStates &states) const;
  Status check_ranges(const PartialStates &states);

  // The name of the first partial that has records, or else of the first; "": none was taken.
  std::string first_;
  Partial job_;            // the job of this partial
  bool fits_any_ = false;  // this partial fits others of any kinds of fields
  i64 state_bytes_ = 0;
};

}  // namespace mrc
