// A job as data: what a user asks for, as text that another process or another day can read.
#pragma once

#include "base/int.h"
#include "base/status.h"

#include <string>
#include <string_view>
#include <vector>

namespace mrc {

// Nothing in it is compiled, and nothing depends on the machine, the terminal or the time: times
// in relation to now have become instants. The parser makes it from a command line; apply() makes
// a request of it, which a verb compiles to a program.
struct Job {
  struct Choice {
    std::string option;  // its last name: "--threads"
    std::string value;   // "" for a flag

    bool operator==(const Choice &) const = default;
  };

  std::string verb = {};
  std::vector<Choice> choices = {};  // in the order of the verb's tables, each value that counts
  std::vector<std::string> operands = {};  // no inputs: a pattern, a field, a plugin
  std::vector<std::string> inputs = {};
  std::vector<Job> then = {};  // the later stages of a chain; they have no stages of their own

  bool operator==(const Job &) const = default;

  // A line for each of them.
  std::string to_text() const;
  // Error: the text is of another version, is cut short, or has an option that the verb does not
  // have.
  static Result<Job> from_text(std::string_view text);

  // What gives kept states their meaning: the verb, its operands and the options that change
  // states. Never the inputs or how they are found, nor later stages.
  u64 state_digest() const;
  // What it is a digest of.
  std::string state_text() const;
  // The other options that can change an answer: order, limit, format. Neither digest sees those
  // that cannot, such as -j.
  u64 answer_digest() const;
};

}  // namespace mrc
