// Advice on what the user may have meant: an option or a verb of another tool, or an input that is
// not a file, but a condition or field for an option.
#pragma once

#include "cmd/compile.h"

#include <span>
#include <string>

namespace mrc {

// Returns what to use in place of an option that the verb does not have; "" if nothing is known.
std::string advice_on_option(const Verb &verb, const std::string &name);
// Returns advice on an invalid value: the short option has another meaning in the tool that the
// verb replaces. `name` is the long name. Returns "" if nothing is known, or if that tool does not
// take such a value either.
std::string advice_on_value(const Verb &verb, const std::string &name, const std::string &value);

// A verb of another program, with the options that matter: "uniq -c".
struct ForeignVerb {
  const char *program;  // "" if the verb is a program itself
  const char *name;
  const char *ours;  // the command to type, or what to do instead
  bool is_command;

  // Returns the verb with its program: "xan freq".
  std::string origin() const;
};
// Returns the table of foreign_verbs.inc.
std::span<const ForeignVerb> foreign_verbs();
// Returns advice on a verb that does not exist, by this table; "" if nothing is known.
std::string advice_on_verb(const std::string &name);

// Returns an error if an input does not exist and is a condition, such as status==200, or a field
// of the inputs that do exist. The planner reports all other missing inputs. For verbs that read
// fields.
Status check_inputs(const Compiled &compiled);

}  // namespace mrc
