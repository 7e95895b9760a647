#include "cmd/misplaced.h"

#include "cmd/look.h"

#include <errno.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>

namespace mrc {
namespace {

bool is_missing(const std::string &input) {
  struct stat info;
  return input != "-" && stat(input.c_str(), &info) != 0 && errno != EACCES;
}

// True if the text has an operator that file names hardly ever have. "=" alone is not enough,
// because it is in dates of directories.
bool is_condition(const std::string &input) {
  constexpr std::array kOperators = {"==", "!=", "=~", "!~", "<", ">", " between "};
  return std::any_of(kOperators.begin(), kOperators.end(),
                     [&](const char *op) { return input.find(op) != std::string::npos; });
}

Status misplaced_condition(const std::string &input) {
  const bool whole =
      std::ranges::any_of(input, [](unsigned char c) { return std::isalnum(c) != 0; });
  const bool quotable = input.find('\'') == std::string::npos;
  return Status::error(fmt::format("\"{}\" is {}a condition, not a file; write -w '{}'", input,
                                   whole ? "" : "part of ",
                                   whole && quotable ? input : "status == 200"));
}

// Returns the part before a bucket, a value or another field.
std::string field_in(const std::string &input) {
  return input.substr(0, input.find_first_of(":,= "));
}

bool may_be_field(const std::string &input) {
  return !input.empty() && input.find_first_of("/.") == std::string::npos;
}

Status misplaced_field(const std::string &input, const FirstFile &file) {
  const std::string field = field_in(input);
  const size_t sign = input.find('=');
  const std::string option = sign == std::string::npos
                                 ? fmt::format("-k {}", input)
                                 : fmt::format("-w '{} == {}'", field, input.substr(sign + 1));
  return Status::error(fmt::format("\"{}\" is not a file, but {} is a field of {}; write {}", input,
                                   field, file.path, option));
}

}  // namespace

Status check_inputs(const Request &request) {
  if (!request.program.input_command.empty()) return Status::ok();  // they are not files
  std::vector<std::string> missing;
  std::copy_if(request.program.inputs.begin(), request.program.inputs.end(),
               std::back_inserter(missing), is_missing);
  for (const std::string &input : missing) {
    if (is_condition(input)) return misplaced_condition(input);
  }
  std::erase_if(missing, [](const std::string &input) { return !may_be_field(input); });
  if (missing.empty() || *request.operand != '\0') return Status::ok();
  if (const std::optional<FirstFile> file = look_at_first_file(request)) {
    for (const std::string &input : missing) {
      if (file->field({field_in(input)}) != nullptr) return misplaced_field(input, *file);
    }
  } else if (missing.size() == request.program.inputs.size()) {
    return Status::error(
        fmt::format("{0}: No such file or directory; if it is a field, write -k {0}", missing[0]));
  }
  return Status::ok();
}

}  // namespace mrc
