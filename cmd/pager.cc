// The process becomes the pager, and a child of it writes the text. So the pager has the terminal
// to itself, its exit status is ours, and SIGINT needs no handling.
#include "cmd/pager.h"

#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace mrc {
namespace {

bool has_terminal() {
  const char *term = std::getenv("TERM");
  return isatty(STDOUT_FILENO) != 0 && term != nullptr && std::string_view(term) != "dumb";
}

[[noreturn]] void write_and_exit(int to, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(to, text.data(), text.size());
    if (written <= 0) break;
    text.remove_prefix(static_cast<size_t>(written));
  }
  _exit(0);
}

// Returns if no pager can be started.
void become_pager() {
  // Makes less quit if the text fits, and leave it on the screen.
  setenv("LESS", "FRX", 0);
  setenv("LESSCHARSET", "utf-8", 0);
  const char *pager = std::getenv("PAGER");
  if (pager != nullptr && *pager != '\0') execl("/bin/sh", "sh", "-c", pager, nullptr);
  execlp("less", "less", nullptr);
  execlp("more", "more", nullptr);
}

}  // namespace

void show_by_pager(const std::string &text) {
  int ends[2];
  if (!has_terminal() || pipe(ends) != 0) return;
  const pid_t writer = fork();
  if (writer == 0) {
    close(ends[0]);
    write_and_exit(ends[1], text);
  }
  close(ends[1]);
  const int input = dup(STDIN_FILENO);
  if (writer > 0) {
    dup2(ends[0], STDIN_FILENO);
    signal(SIGPIPE, SIG_DFL);
    become_pager();
    signal(SIGPIPE, SIG_IGN);
    dup2(input, STDIN_FILENO);
  }
  close(input);
  close(ends[0]);
}

}  // namespace mrc
