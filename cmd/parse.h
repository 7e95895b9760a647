// The command line, by CLI11, from the option tables.
#pragma once

#include "cmd/verb.h"

namespace mrc {

// What follows the verb. The error says what was typed, what is wrong, what to do.
Status parse(const Verb &verb, const std::vector<std::string> &arguments, Request *request);

// Makes a request of a job that was parsed before, here or elsewhere. The request is a new one.
// REQUIRES: the job is from parse() or from_text()
Status apply(const Job &job, Request *request);

// The option of a verb with this last name; null if there is none.
const Option *find_option(const Verb &verb, std::string_view name);

// "-j, --threads" as {"-j", "--threads"}.
std::vector<std::string> names_in(const std::string &list);
// "auto|yes|no" as {"auto", "yes", "no"}.
std::vector<std::string> split_choices(const char *choices);
// More are too many for a line, of help or of a message.
inline constexpr size_t kFewChoices = 24;
// The names of an option.
std::vector<std::string> option_names(const Option &option);
// Those that it has in a verb: of a common option, without those that the verb has given to
// options of its own, or does not have. None: the verb does not take it.
std::vector<std::string> option_names(const Verb &verb, const Option &option);

// The one of the names in a list ("-n, --lines") that an unknown option begins with or, if it
// is long, is; "" if there is none. Of short ones that are joined, the first is not known.
std::string find_name(const char *names, const std::string &option);

// Own options, common ones if the verb is a job, help.
std::vector<const Option *> options_of(const Verb &verb);

}  // namespace mrc
