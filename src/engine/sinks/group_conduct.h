// Makes the conduct of a job that groups: one of those for all stages, or one in tiled_groups.h or
// plain_groups.h.
#pragma once

#include "engine/inner/conduct.h"

#include <memory>

namespace mrc {

class GroupingSink;

class GroupConduct : public Conduct {
 public:
  // The sink outlives the conduct.
  explicit GroupConduct(GroupingSink *sink) : sink_(*sink) {}

 protected:
  GroupingSink &sink_;
};

// Makes the conduct that the program and its plan want.
std::unique_ptr<Conduct> make_group_conduct(GroupingSink *sink);

}  // namespace mrc
