// A job as data: what a user asks for as text, for other processes and for later.
#pragma once

#include "base/int.h"
#include "base/status.h"

#include <string>
#include <string_view>
#include <vector>

namespace mrc {

// Nothing in a job is compiled, and nothing depends on the machine, the terminal or the time: times
// relative to now have become instants. The parser makes a job from a command line. apply() makes
// an Ask from it, which a verb compiles to a program.
struct Job {
  struct Choice {
    std::string option;  // the last name: "--threads"
    std::string value;   // "" for a flag

    bool operator==(const Choice &) const = default;
  };

  std::string verb = {};
  std::vector<Choice> choices = {};  // in the order of the verb's tables, each value that counts
  std::vector<std::string> operands = {};  // arguments that are not inputs, such as a pattern
  std::vector<std::string> inputs = {};
  std::vector<Job> then = {};  // later stages of a chain, which have no stages of their own

  bool operator==(const Job &) const = default;

  // Returns the first choice of an option; null: there is none.
  const Choice *find(std::string_view option) const;
  // Returns text with a line for each member.
  std::string to_text() const;
  // It is an error if the text is of another version, is cut short, or has an option that the verb
  // does not have.
  static Result<Job> from_text(std::string_view text);

  // Digest of what gives kept states their meaning: the verb, its operands and the options that
  // change states. Inputs, how they are found, and later stages are never part of it.
  u64 state_digest() const;
  // Returns what state_digest() hashes, as text for users.
  std::string state_text() const;
  // Digest of the other options that can change an answer: order, limit, format. Options that
  // cannot, such as -j, are in neither digest.
  u64 answer_digest() const;
};

// Jobs whose states are sent to other processes, and the jobs that are made from these.

// Returns the job without options that concern only the process that runs it.
Job sent_job(Job job);
// Adds the user's choices to a job that was made elsewhere, and replaces its own. It is an error if
// the job's verb does not have such an option.
Status add_choices(const std::vector<Job::Choice> &choices, Job *job);

}  // namespace mrc
