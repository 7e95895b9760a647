// Runs of mrc in a folder that has a log and a state, as tests of faults want them.
#pragma once

#include "support/process.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>

namespace mrc {

class KeptState : public testing::Test {
 protected:
  // Runs the command in the folder; returns its exit status, or 128 and the signal.
  int run(const std::string &arguments, const std::string &before = "") const {
    const int status = run_shell("cd " + folder_.path("") + "; " + before + "timeout 60 $MRC " +
                                 arguments + " >out 2>err </dev/null");
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }
  std::string out() const { return folder_.read("out"); }
  std::string error() const { return folder_.read("err"); }
  bool says_one_line() const {
    const std::string message = error();
    return std::count(message.begin(), message.end(), '\n') == 1 &&
           message.starts_with("mrc: error: ") && message.ends_with('\n');
  }

  // All files of the state, without its lock.
  std::map<std::string, std::string> state() const {
    std::map<std::string, std::string> files;
    for (const auto &entry : std::filesystem::directory_iterator(folder_.path(state_))) {
      const std::string name = entry.path().filename().string();
      if (name != "lock") files[name] = folder_.read(state_ + "/" + name);
    }
    return files;
  }
  void restore(const std::map<std::string, std::string> &files) const {
    std::filesystem::remove_all(folder_.path(state_));
    std::filesystem::create_directory(folder_.path(state_));
    for (const auto &[name, bytes] : files) folder_.write(state_ + "/" + name, bytes);
  }

  void append(const std::string &text) const {
    std::ofstream(folder_.path("log"), std::ios::app | std::ios::binary) << text;
  }
  // So many lines, which no other call gives.
  std::string lines(int n) {
    std::string text;
    for (; n > 0; --n) text += "line " + std::to_string(next_++ * 7919L) + " of the log\n";
    return text;
  }
  // What a run without the state prints.
  std::string answer(const std::string &verb) const {
    EXPECT_EQ(run(verb + " log"), 0) << error();
    return out();
  }

  const TemporaryFolder folder_;
  std::string state_ = "state";

 private:
  long next_ = 0;
};

}  // namespace mrc
