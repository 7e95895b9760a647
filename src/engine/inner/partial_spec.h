// engine: partials (kept/partial.h) that replace the rows or the input of a program.
#pragma once

#include "kept/unit_list.h"

#include <memory>
#include <string>
#include <vector>

namespace mrc {

struct MergedPartials;

struct PartialSpec {
  bool is_wanted = false;  // the program writes a partial
  bool as_lines = false;   // as text; else as a run
  u64 digest = 0;          // hash of all that affects the meaning of states
  std::string job;         // describes the job, as text
  std::string mrc_version;

  // For a worker that maps units of a list: it reads only these units, with the formats in the
  // list. Null: inputs are read whole.
  std::shared_ptr<const UnitList> listed;
  std::vector<PartialUnit> units;

  std::shared_ptr<const MergedPartials> merged;  // replaces inputs; null: inputs are read

  // True if other programs use the states, which may print them in other ways.
  bool moves_states() const { return is_wanted || merged != nullptr; }
};

}  // namespace mrc
