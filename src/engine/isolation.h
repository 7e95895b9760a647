// engine: workers that are processes, each of which may die.
#pragma once

namespace mrc {

struct IsolationSpec {
  bool is_wanted = false;
  double unit_seconds = 0;  // what a task may take; 0: any time
  bool only_plans = false;  // nothing is read but to print a plan

  // Tasks may have to be read again, and pipes cannot be.
  bool reads_pipes() const { return is_wanted && !only_plans; }
};

}  // namespace mrc
