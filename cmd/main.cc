// mrc: sets up the process, and runs the command line.
#include "base/setting_name.h"
#include "cmd/allocator.h"
#include "cmd/dispatch.h"
#include "cmd/messages.h"
#include "input/collection.h"
#include "plugin/plugin_input.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <new>

namespace mrc {
namespace {

// Opens the standard files that are closed. Otherwise another file would get the number of one of
// them, and messages or the answer would be written to it. The replacement cannot be used either.
void occupy_standard_files() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    if (fcntl(fd, F_GETFD) < 0) open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

}  // namespace
}  // namespace mrc

int main(int argc, char **argv) try {
  mrc::occupy_standard_files();
  mrc::end_cleanly_without_memory();
  // Makes a closed pipe, and a file past its size limit, errors of write() in place of signals.
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  // A parent may have ignored SIGCHLD; then no command would have an exit status.
  signal(SIGCHLD, SIG_DFL);
  mrc::write_setting_names_by([](std::string_view name) { return "--" + std::string(name); });
  mrc::open_other_collections_by(mrc::open_plugin_input);
  mrc::begin_messages();
  // Leaves it to the kernel to take back all memory at once.
  _exit(mrc::run_here_or_by_server({argv + 1, argv + argc}));
} catch (const std::bad_alloc &) {
  mrc::end_without_memory();
}
