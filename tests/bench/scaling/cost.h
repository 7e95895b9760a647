// The cost of a command: in instructions, which other work on the machine does not change, or in
// CPU time.
#pragma once

#include <string>

namespace bench {

enum class Gauge { instructions, milliseconds };

struct Cost {
  double work = 0;      // in the unit of the gauge
  double peak_mib = 0;  // as its own process, without valgrind; 0: not measured
  std::string error;    // why there is no figure; empty: none
  bool ended = false;   // it took longer than allowed
};

// Runs a line of sh; its last command, after the last "&& ", is "mrc ...", and is what is measured.
// Instructions are those of valgrind's callgrind. CPU time, user and system, is the least of
// `rounds`, or of fewer that take two seconds.
Cost measure(const std::string &line, Gauge gauge, int rounds);

// The peak of resident memory, of the same line.
Cost measure_memory(const std::string &line);

// Whether this machine can count instructions.
bool has_callgrind();

}  // namespace bench
