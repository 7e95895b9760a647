// engine: workers in processes of their own, each of which may die.
#pragma once

namespace mrc {

struct IsolationSpec {
  bool is_wanted = false;
  double unit_seconds = 0;  // limit for a task; 0: none
  bool only_plans = false;  // the program only prints its plan

  // True if pipes must be copied to files first: a task may be read again, but a pipe cannot.
  bool reads_pipes() const { return is_wanted && !only_plans; }
};

}  // namespace mrc
