#include "cmd/terminal.h"

#include "cmd/messages.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

namespace mrc {

void note_terminal(const Request &request, const std::vector<std::string> &inputs) {
  const bool reads_stdin = std::find(inputs.begin(), inputs.end(), "-") != inputs.end();
  if (!reads_stdin || request.quiet || isatty(STDIN_FILENO) == 0) return;
  std::string taken;
  for (const std::string &operand : request.job.operands) {
    if (*request.operand == '\0' || access(operand.c_str(), F_OK) != 0) continue;
    taken = fmt::format("; the file \"{}\" was taken for {}", operand, request.operand);
  }
  say_info(fmt::format("reading standard input from a terminal; end it with Ctrl-D{}", taken));
}

}  // namespace mrc
