// mrc plugins check: the laws, tried in a process of its own, so that what crashes is told
// about like all else; and jobs, run by this program with different numbers of threads,
// sizes of splits and little memory, all of which must print the same.
#include "cmd/child.h"
#include "cmd/plugin_errands.h"
#include "plugin/laws.h"
#include "plugin/plugin.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace mrc {
namespace {

enum CheckStatus { kHolds = 0, kBroken = 1, kUnusable = 2 };

constexpr u64 kSeed = 1;

std::string read_file(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// Lines that are hard on programs.
std::string hard_lines() {
  std::string text =
      "a b c\n\n \t \n0 -1 1.5 9223372036854775807 -9223372036854775808\nnan inf 1e999\n";
  text +=
      "key\tvalue\nkey,\"va,lue\"\n{\"key\": [1, null]}\n\xC3\xA4\xFF\xFE\n" + std::string(3, '\0');
  text += "\n" + std::string(70000, 'x') + "\n";
  for (int i = 0; i < 3000; ++i)
    text += fmt::format("w{} {} {}.5\n", i % 97, i * 7919 % 1000, i % 13);
  return text + "the last one has no end";
}

// The inputs that a check goes through: the author's, or a file of our own, while it lasts.
class Samples {
 public:
  explicit Samples(const std::vector<std::string> &paths)
      : paths_(paths), generated_(paths.empty()) {
    if (generated_) {
      folder_ = (std::filesystem::temp_directory_path() / "mrc-check-XXXXXX").string();
      if (mkdtemp(folder_.data()) == nullptr) return;
      paths_ = {folder_ + "/generated"};
      std::ofstream(paths_[0], std::ios::binary) << hard_lines();
    }
    for (const std::string &path : paths_) inputs_.push_back({path, read_file(path)});
  }
  ~Samples() {
    std::error_code error;
    if (generated_) std::filesystem::remove_all(folder_, error);
  }
  Samples(const Samples &) = delete;
  Samples &operator=(const Samples &) = delete;

  bool generated() const { return generated_; }
  const std::vector<std::string> &paths() const { return paths_; }
  const std::vector<LawInput> &inputs() const { return inputs_; }

 private:
  std::vector<std::string> paths_;
  std::vector<LawInput> inputs_;
  bool generated_;
  std::string folder_;
};

std::vector<std::string> lines_of(const Samples &samples) {
  constexpr size_t kMost = 10000;
  std::vector<std::string> lines;
  if (samples.generated()) return lines;
  for (const LawInput &input : samples.inputs()) {
    std::istringstream text(input.bytes);
    for (std::string line; lines.size() < kMost && std::getline(text, line);) lines.push_back(line);
  }
  return lines;
}

// What was found, and how many laws are broken.
size_t report_on(const std::string &what, const LawReport &found, const Reporter &report) {
  for (const Violation &violation : found.violations) {
    report(fmt::format("{}: {}\n{}", what, violation.law, violation.example));
  }
  if (found.violations.empty()) {
    report(fmt::format("{}: no law was broken in {} trials\n", what, found.trials));
  }
  for (const std::string &note : found.notes) report(fmt::format("{}: {}\n", what, note));
  return found.violations.size();
}

// The laws of all that a plugin offers. Runs in the child.
int check_laws(const std::string &path, const Request &request, const Samples &samples,
               const Reporter &report) {
  const Result<std::shared_ptr<const Plugin>> plugin = load_plugin(path, request.force_plugin);
  if (!plugin.is_ok()) {
    report(plugin.status().message());
    return kUnusable;
  }
  size_t broken = 0;
  const std::vector<std::string> lines = lines_of(samples);
  for (const mrc_reducer *reducer : (*plugin)->reducers()) {
    broken += report_on(fmt::format("reducer {}", reducer->name),
                        check_reducer_laws(path, *reducer, nullptr, lines, kSeed), report);
  }
  for (const mrc_job *job : (*plugin)->jobs()) {
    const LawSample sample = {samples.inputs(), samples.generated(), request.settings};
    broken += report_on(fmt::format("job {}", job->name),
                        check_job_laws(path, *job, sample, lines, kSeed), report);
  }
  return broken == 0 ? kHolds : kBroken;
}

// The first line that is not the same in both, as two lines of the report.
std::string first_difference(const std::string &one, const std::string &other) {
  std::istringstream lines(one), others(other);
  std::string line, other_line;
  for (;;) {
    const bool more = static_cast<bool>(std::getline(lines, line));
    const bool others_more = static_cast<bool>(std::getline(others, other_line));
    if (!more) line = "(nothing more)";
    if (!others_more) other_line = "(nothing more)";
    if (line != other_line || (!more && !others_more)) break;
  }
  constexpr size_t kLongest = 200;
  return fmt::format("  {}\n  {}\n", line.substr(0, kLongest), other_line.substr(0, kLongest));
}

using Arguments = std::vector<std::string>;

// Runs a job in several ways. Whether all print the same.
bool check_runs(const std::string &path, const std::string &job, const Request &request,
                const Samples &samples, std::string *out) {
  const Arguments ways[] = {{"-j1"},
                            {"-j1", "--split", "61"},
                            {"-j4", "--split", "997"},
                            {"-j2", "--split", "512", "--memory", "4K"}};
  std::string first;
  for (const Arguments &way : ways) {
    Arguments words = {"run", path, job, "--quiet", "--force-plugin"};
    words.insert(words.end(), way.begin(), way.end());
    for (const std::string &setting : request.settings)
      words.insert(words.end(), {"--set", setting});
    words.push_back("--");
    words.insert(words.end(), samples.paths().begin(), samples.paths().end());
    const ChildEnd end = run_mrc(words);
    const std::string shown = end.out + end.err;
    const bool failed = end.crashed() || end.code() > kBroken;
    if (&way == &ways[0] && failed) {
      *out += fmt::format(
          "job {}: {}\n  {}", job,
          samples.generated() ? "was not run: name a sample that it can read" : "fails", end.err);
      return samples.generated() && !end.crashed();
    }
    if (&way == &ways[0]) first = shown;
    if (shown == first) continue;
    *out +=
        fmt::format("job {}: its answer depends on how it is run; with {}, and with {}:\n{}", job,
                    fmt::join(ways[0], " "), fmt::join(way, " "), first_difference(first, shown));
    return false;
  }
  *out += fmt::format("job {}: the same answer in {} ways of running it\n", job, std::size(ways));
  return true;
}

// The line about a crash or an exit, which the child wrote last.
std::string crash_line(const ChildEnd &end) {
  const std::string_view kPrefix = "mrc: error: ";
  const size_t at = end.err.rfind(kPrefix);
  if (at == std::string::npos && !end.crashed()) return "the plugin ended the process\n";
  if (at == std::string::npos) return "the plugin crashed\n";
  return end.err.substr(at + kPrefix.size());
}

// Names of jobs, from a process that may crash.
std::vector<std::string> jobs_of(const std::string &path, const Request &request) {
  const ChildEnd end = in_child([&](const Reporter &report) {
    const Result<std::shared_ptr<const Plugin>> plugin = load_plugin(path, request.force_plugin);
    if (!plugin.is_ok()) return int{kUnusable};
    for (const mrc_job *job : (*plugin)->jobs()) report(std::string(job->name) + "\n");
    return int{kHolds};
  });
  std::vector<std::string> names;
  std::istringstream text(end.out);
  for (std::string name; std::getline(text, name);) names.push_back(name);
  return names;
}

}  // namespace

Result<bool> check_plugin(const Request &request, std::string *out) {
  if (request.arguments.size() < 2) {
    return Status::error("plugins: check needs a plugin: mrc plugins check ./x.so [SAMPLE...]");
  }
  const Result<PluginPath> places = plugin_path(request.plugins);
  if (!places.is_ok()) return Status::error("plugins: " + places.status().message());
  std::string path = request.arguments[1];
  // There is no doubt that a file is meant that is there.
  const bool here = std::filesystem::exists(path);
  if (here && path.find('/') == std::string::npos) path = "./" + path;
  const Result<std::string> found = find_plugin(path, *places);
  if (!found.is_ok()) return found.status();
  if (found->empty()) return Status::error(path + ": there is no such plugin");
  path = *found;
  for (size_t i = 2; i < request.arguments.size(); ++i) {
    if (access(request.arguments[i].c_str(), R_OK) != 0) {
      return Status::from_errno(request.arguments[i], errno);
    }
  }
  const Samples samples({request.arguments.begin() + 2, request.arguments.end()});

  const ChildEnd end =
      in_child([&](const Reporter &report) { return check_laws(path, request, samples, report); });
  if (end.whole && end.code() == kUnusable) return Status::error(end.out);
  *out += end.out;
  bool good = end.whole && end.code() == kHolds;
  if (!end.whole) {
    *out += crash_line(end);
  } else {
    for (const std::string &job : jobs_of(path, request)) {
      good = check_runs(path, job, request, samples, out) && good;
    }
  }
  *out += path + (good ? ": no fault was found; that no pointer is kept and no thread disturbs "
                         "another is seen only when it matters\n"
                       : ": breaks the rules of mrc-plugin(3)\n");
  return good;
}

}  // namespace mrc
