// A user at a terminal ends the input once, and has to be told that mrc waits for it.
#include "support/process.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>

#include <vector>

namespace mrc {
namespace {

using std::string;

// mrc with a terminal for standard input and error. What it prints is read here.
class Terminal {
 public:
  explicit Terminal(const string &arguments) {
    child_ = forkpty(&fd_, nullptr, nullptr, nullptr);
    if (child_ != 0) return;
    execl("/bin/sh", "sh", "-c", (string("exec " MRC_BINARY " ") + arguments).c_str(), nullptr);
    _exit(127);
  }
  ~Terminal() {
    if (child_ > 0) kill(child_, SIGKILL);
    if (child_ > 0) wait_for_exit(child_, "mrc at a terminal");
    close(fd_);
  }
  Terminal(const Terminal &) = delete;
  Terminal &operator=(const Terminal &) = delete;

  // Waits until `text` is on the screen.
  bool shows(const string &text) {
    return wait_until("\"" + text + "\" on the screen", [&] {
      read_more(10);
      return screen_.find(text) != string::npos;
    });
  }
  // Reads what comes until the process ends. False if it waits.
  bool ends() {
    const bool has_ended = wait_until("mrc ends", [&] {
      read_more(10);
      return waitpid(child_, nullptr, WNOHANG) != 0;
    });
    if (has_ended) child_ = -1;
    while (has_ended && read_more(0)) {
    }
    return has_ended;
  }
  void type(const string &text) {
    ASSERT_EQ(write(fd_, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  const string &screen() const { return screen_; }

 private:
  bool read_more(int milliseconds) {
    pollfd ready = {fd_, POLLIN, 0};
    if (poll(&ready, 1, milliseconds) <= 0) return false;
    char bytes[4096];
    const ssize_t got = read(fd_, bytes, sizeof bytes);
    if (got <= 0) return false;
    screen_.append(bytes, static_cast<size_t>(got));
    return true;
  }

  pid_t child_ = -1;
  int fd_ = -1;
  string screen_;
};

constexpr const char *kNote = "reading standard input from a terminal; end it with Ctrl-D";
constexpr const char *kEnd = "\x04";

class AtATerminal : public testing::TestWithParam<const char *> {};

TEST_P(AtATerminal, EndsWithTheFirstEndOfInput) {
  for (const char *typed : {"", "a line\n"}) {
    Terminal terminal(GetParam());
    ASSERT_TRUE(terminal.shows(kNote)) << terminal.screen();
    terminal.type(typed);
    terminal.type(kEnd);
    EXPECT_TRUE(terminal.ends()) << GetParam() << " waits for another after \"" << typed << "\"";
  }
}

INSTANTIATE_TEST_SUITE_P(AllVerbs, AtATerminal,
                         testing::Values("count", "distinct", "fields", "grep a", "grep -c a",
                                         "hist 1", "index", "select", "sort", "stats",
                                         "wordcount"));

TEST(TerminalNote, NamesTheFileThatWasTakenForSomethingElse) {
  const TemporaryFolder folder;
  const string file = folder.write("access.log", "1\n");
  for (const auto &[verb, what] : {std::pair("grep ", "the pattern RE"), {"hist ", "FIELD"}}) {
    Terminal terminal(verb + file);
    EXPECT_TRUE(terminal.shows("; the file \"" + file + "\" was taken for " + what))
        << terminal.screen();
  }
  Terminal terminal("grep none-of-this-name");
  ASSERT_TRUE(terminal.shows(kNote));
  EXPECT_EQ(terminal.screen().find("taken for"), string::npos);
}

TEST(TerminalNote, SaysWhyAnAnswerIsEmpty) {
  const TemporaryFolder folder;
  const string table = folder.write("table.csv", "a,b\nx,1\ny,2\n");
  const string header = folder.write("header.csv", "a,b\n");
  const std::pair<string, const char *> answers[] = {
      {"count -k a -w 'b > 2' " + table, "none of 2 records fits --where, --since or --until"},
      {"select -k a -w 'b > 2' " + table, "none of 2 records fits"},
      {"sort -k a -w 'b > 2' " + table, "none of 2 records fits"},
      {"stats -k a -a s=sum:b --having 's > 2' " + table, "--having holds for none of 2 groups"},
      {"count -k a " + header, "the input has no records"},
      {"count -k a then select -w 'count > 1' " + table, "none of 2 records fits"},
  };
  for (const auto &[command, reason] : answers) {
    Terminal terminal(command);
    EXPECT_TRUE(terminal.shows(reason)) << command << terminal.screen();
    EXPECT_TRUE(terminal.ends()) << command;
  }
  for (const string &command :
       {"count -q -k a -w 'b > 2' " + table, "grep -q nothing " + table, "count -k a " + table}) {
    Terminal terminal(command);
    EXPECT_TRUE(terminal.ends()) << command;
    EXPECT_EQ(terminal.screen().find("empty"), string::npos) << terminal.screen();
  }
}

TEST(TerminalNote, IsNotForThoseWhoAreQuiet) {
  Terminal terminal("count -q");
  terminal.type(string("a line\n") + kEnd);
  EXPECT_TRUE(terminal.ends());
  EXPECT_EQ(terminal.screen().find(kNote), string::npos) << terminal.screen();
}

}  // namespace
}  // namespace mrc
