// The commands whose cost must grow in proportion to their input.
#pragma once

#include "scaling/shapes.h"

#include <string>
#include <vector>

namespace bench {

// The settings that are drawn for each job, so that all pairs occur.
struct Draw {
  int threads = 1;
  i64 memory_kib = 0;  // 0: as much as there is
};

// A line for sh. What is measured is its last command; others before an && prepare it.
//   {fields} {keys} ...  the input in a layout of shapes.h
//   {dir}                a directory of the job, which is empty
//   {draw}               the options of a Draw
//   {piece}              the same, for a job that holds a group in one piece: mrc(1) excepts it
//                        from --memory
struct Job {
  const Shape *shape;
  std::string command;
  Draw draw;
  i64 promised_kib = 0;  // the memory that it may take, besides 64 MiB; 0: any
};

// How many jobs there are, and how large their inputs.
struct Form {
  bool each_aggregate;  // in a job of its own
  size_t most_jobs;     // so many are drawn
  i64 bytes;            // of the smaller input, about
  i64 memory_kib[2];    // for --memory; one of them is drawn
  const char *options;  // of all jobs
  double seconds;       // after which no job begins; 0: all of them run
};

// All commands, with {draw} or {piece} in them: of all verbs and aggregates of mrc, and of the
// plugins of `plugins`. A verb or a plugin's job that has no command yet is named in `errors`.
std::vector<std::string> all_commands(const Form &form, const std::string &plugins,
                                      std::vector<std::string> *errors);

// Jobs in an order that `seed` decides. Each command meets all shapes and all draws.
std::vector<Job> draw_jobs(const std::vector<std::string> &commands, const Form &form, u64 seed);

// Puts the options of the draw in place of {draw} and {piece}.
void put_options(const Draw &draw, const char *options, std::string *command);
void replace_all(std::string *text, std::string_view what, std::string_view with);

}  // namespace bench
