// Parses the command line with CLI11, by the tables of options.
#pragma once

#include "cmd/verb.h"

namespace mrc {

// Parses the words after the verb. The error says what was typed, what is wrong, and what to do.
Status parse(const Verb &verb, const std::vector<std::string> &arguments, Ask *ask);

// Makes a new ask from a job that was parsed before, here or elsewhere. REQUIRES: the job is
// from parse() or from_text()
Status apply(const Job &job, Ask *ask);

// Returns the option of a verb with this last name; null if there is none.
const Option *find_option(const Verb &verb, std::string_view name);

// Splits "-j, --threads" into {"-j", "--threads"}.
std::vector<std::string> names_in(const std::string &list);
// Splits "auto|yes|no" into {"auto", "yes", "no"}.
std::vector<std::string> split_choices(const char *choices);
// More choices are too many for a line of help or for a message.
inline constexpr size_t kFewChoices = 24;
// Returns all names of an option.
std::vector<std::string> option_names(const Option &option);
// Returns the names that an option has in a verb. A common option loses the names that options of
// the verb have, or that the verb does not have. Empty: the verb does not take the option.
std::vector<std::string> option_names(const Verb &verb, const Option &option);

// Returns the name in a list ("-n, --lines") that equals an unknown option or, if it is short,
// begins it; "" if there is none. If short options are joined, the first one is unknown.
std::string find_name(const char *names, const std::string &option);

// Returns the options of a verb: its own, common ones if it is a job, help.
std::vector<const Option *> options_of(const Verb &verb);

}  // namespace mrc
