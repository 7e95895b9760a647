// Logs that grow, and the directory that mrc load makes of them.
#pragma once

#include "kept/loads.h"
#include "support/process.h"
#include "support/random.h"
#include "support/temporary_folder.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace mrc {

// Logs are CSV, so that a record of the directory is the same text.
class LoadedLogs : public testing::Test {
 protected:
  static constexpr const char *kHeader = "id,time,host,size\n";

  std::string path(const std::string &name) const { return folder_.path(name); }
  // Returns the exit status, or 128 and the signal.
  int run(const std::string &arguments) const {
    const int status =
        run_shell("cd " + path("") + "; timeout 60 $MRC " + arguments + " >out 2>err </dev/null");
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }
  std::string out() const { return folder_.read("out"); }
  std::string error() const { return folder_.read("err"); }

  // A record of a time within the days of the test, in no order.
  std::string record(Random &random) {
    const time_t at = 1764000000 + pick(random, 0, 5 * 86400);
    const std::string host = one_of<std::string>(random, {"a", "b/c", "x=y", "", "\"q,r\""});
    return fmt::format("{},{:%Y-%m-%dT%H:%M:%SZ},{},{}\n", next_++, fmt::gmtime(at), host,
                       pick(random, 0, 1000));
  }
  void append(const std::string &log, const std::string &text) {
    const bool is_new = !std::filesystem::exists(path(log));
    std::ofstream file(path(log), std::ios::app | std::ios::binary);
    file << (is_new ? kHeader : "") << text;
    if (is_new) logs_.push_back(log);
  }
  std::string names_of_logs() const { return fmt::format("{}", fmt::join(logs_, " ")); }

  // Returns the whole lines after the header, sorted.
  static std::vector<std::string> records_of(const std::string &text) {
    std::vector<std::string> lines;
    for (size_t at = text.find('\n') + 1; at < text.size();) {
      const size_t end = text.find('\n', at);
      if (end == text.npos) break;
      lines.push_back(text.substr(at, end - at));
      at = end + 1;
    }
    return lines;
  }
  std::vector<std::string> all_records() const {
    std::vector<std::string> all;
    for (const std::string &log : logs_) {
      std::ranges::move(records_of(folder_.read(log)), std::back_inserter(all));
    }
    std::ranges::sort(all);
    return all;
  }

  // All files of the directory that are not hidden, by path below the folder of the test.
  std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> all;
    if (!std::filesystem::exists(path("dir"))) return all;
    for (const auto &entry : std::filesystem::recursive_directory_iterator(path("dir"))) {
      const std::string name = entry.path().string().substr(path("").size());
      const bool is_hidden = name.find("/.") != name.npos;
      if (entry.is_regular_file() && !is_hidden) all[name] = folder_.read(name);
    }
    return all;
  }
  std::vector<std::string> listed() const {
    const Result<std::optional<Loads>> loads = read_loads(path("dir"));
    EXPECT_TRUE(loads.is_ok());
    std::vector<std::string> files;
    if (!loads.is_ok() || !*loads) return files;
    for (const std::string &file : (*loads)->files) files.push_back(file.substr(path("").size()));
    return files;
  }

  const TemporaryFolder folder_;
  std::vector<std::string> logs_;

 private:
  i64 next_ = 0;
};

}  // namespace mrc
