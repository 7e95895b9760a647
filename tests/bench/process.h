// Runs other programs and measures them.
#pragma once

#include "base/int.h"

#include <string>
#include <vector>

namespace bench {

using mrc::i64;
using mrc::u64;

struct Command {
  std::vector<std::string> argv;
  std::string file = {};    // where the answer goes; "": standard output
  bool opens_file = false;  // the program does so itself; otherwise it is its standard output
  bool disturbed = false;   // something else keeps the first CPU busy meanwhile
  bool footprint = false;   // sample its resident memory
  int seconds = 0;          // after which it is ended; 0: never
};

struct Sample {
  double wall = 0, cpu = 0, peak_mib = 0;  // CPU: user and system; peak: of its largest process
};

struct Outcome {
  int status = 0;  // as of wait(2)
  bool timed_out = false;
  Sample sample;
  u64 checksum = 0;  // of the answer, if asked for
  i64 bytes = 0;
  std::string errors;                // its standard error
  std::vector<double> resident_mib;  // every 10 ms, if asked for
};

// Waits until it has ended. Without `check` an answer on standard output is discarded by
// the kernel; with it the answer is read, which takes time.
Outcome run(const Command &command, bool check = false);

double median(std::vector<double> values);

}  // namespace bench
