// --memory: whether the promise is kept, and what it costs to keep it.
#include "workshop.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace bench {
namespace {

constexpr double kMargin = 64;  // MiB that a process may take beyond what it was given

struct Task {
  const char *verb, *file;
};

// Their results are large: hardly any two records have the same key.
constexpr Task kTasks[] = {{"wordcount", "few100.txt"},
                           {"count", "keys.txt"},
                           {"index", "few100.txt"},
                           {"sort", "tera1g.txt"}};

// Calls `measure` with each task and its input.
void for_each_task(Workshop *shop,
                   void (*measure)(Workshop *shop, const Task &task, const std::string &file)) {
  for (const Task &task : kTasks) {
    const bool keys = std::string(task.file) == "keys.txt";
    const auto file = keys ? shop->keys("50000000 uniform") : shop->input(task.file);
    if (file) measure(shop, task, *file);
    if (file && keys) shop->remove(*file);
  }
}

// The number in a name such as "64 MiB".
double allowed(const Alternative &a) { return std::atof(a.name.c_str()); }

std::string judge(const Alternative &a) {
  if (allowed(a) == 0) return "";
  const double beyond = a.median_of(&Sample::peak_mib) - allowed(a);
  return fmt::format("{:+.0f} MiB{}", beyond, beyond <= kMargin ? "" : " BROKEN");
}

void add_limited(Workshop *shop, const Task &task, const std::string &file, double mib,
                 const std::string &what, Contest *contest) {
  const auto kib = static_cast<i64>(std::max(mib, 1.0) * 1024);
  contest->add(
      fmt::format("{:.0f} MiB{}", mib, what),
      shop->mrc(fmt::format("{} --memory {}K --tmpdir {}", task.verb, kib, shop->scratch()), file));
}

void try_limits(Workshop *shop, const Task &task, const std::string &file) {
  Contest contest(fmt::format("{}: {}; peak beyond what was allowed, at most {:+.0f}", task.verb,
                              describe_file(file), kMargin));
  contest.remark("beyond", judge);
  contest.add("no limit", shop->mrc(task.verb, file));
  for (const double mib : {32, 64, 128, 256, 1024}) {
    add_limited(shop, task, file, mib, "", &contest);
  }
  contest.run(shop->rounds());
}

// In parts of what it takes without a limit.
void try_parts(Workshop *shop, const Task &task, const std::string &file) {
  const Outcome whole = bench::run(shop->mrc(task.verb, file));
  if (whole.status != 0) return;
  Contest contest(fmt::format("{}: {}; parts of the {:.0f} MiB that it takes", task.verb,
                              describe_file(file), whole.sample.peak_mib));
  contest.remark("beyond", judge);
  contest.add("no limit", shop->mrc(task.verb, file));
  for (const double part : {0.1, 0.2, 0.4, 0.6, 0.8, 0.85, 0.9, 0.95, 1.0, 1.05, 1.1, 1.15, 1.2}) {
    add_limited(shop, task, file, part * whole.sample.peak_mib,
                fmt::format(" ({:.0f} %)", 100 * part), &contest);
  }
  contest.run(shop->rounds());
  const Alternative &tenth = contest.all()[1];
  if (!contest.all()[0].ran() || !tenth.ran()) return;
  fmt::print("  slowdown at a tenth: {:.2f} (goal: 3)\n\n",
             ratio(tenth, contest.all()[0], &Sample::wall));
}

void run_memory(Workshop *shop) { for_each_task(shop, try_limits); }
void run_budget(Workshop *shop) { for_each_task(shop, try_parts); }

}  // namespace

const Experiment kMemory = {"memory", "limits", "--memory from 32M to 1G: time, and the promise",
                            run_memory};
const Experiment kBudget = {"memory", "budget", "--memory in parts of what fits, 0.1 to 1.2",
                            run_budget};

}  // namespace bench
