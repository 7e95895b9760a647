// engine: what a program makes or takes in place of rows and input: partials (kept/partial.h).
#pragma once

#include "kept/unit_list.h"

#include <memory>
#include <string>
#include <vector>

namespace mrc {

struct MergedPartials;

struct PartialSpec {
  bool is_wanted = false;  // the answer is a partial
  bool as_lines = false;   // as text; else as a run
  u64 digest = 0;          // of what gives states their meaning
  std::string job;         // as text
  std::string mrc_version;

  // Of a worker that maps units of a list: they are all that is read, in the way that the list
  // says. Null: inputs are read as wholes.
  std::shared_ptr<const UnitList> listed;
  std::vector<PartialUnit> units;

  std::shared_ptr<const MergedPartials> merged;  // in place of inputs; null: there are inputs

  // The states of the program are those of other programs, which may print them in other ways.
  bool moves_states() const { return is_wanted || merged != nullptr; }
};

}  // namespace mrc
