// Sorting against others, and how all verbs scale.
#include "workshop.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

namespace bench {
namespace {

// To /dev/null, or to a file in memory that each of them writes on its own way.
void compare_sorts(Workshop *shop, const std::string &input, bool to_file) {
  Contest contest(fmt::format("lines in order, to {} ({})",
                              to_file ? "a file in /dev/shm" : "/dev/null", describe_file(input)));
  const std::string file = to_file ? fmt::format("/dev/shm/mrc-bench-{}", getpid()) : "";
  auto add = [&](const char *name, Command command) {
    command.file = file;
    contest.add(name, std::move(command));
  };
  add("mrc sort", shop->mrc("sort", input));
  if (to_file) {
    Command command = shop->mrc("sort --output " + file, input);
    command.opens_file = true;
    add("mrc sort -o", std::move(command));
  }
  add("mrc sort --record 100", shop->mrc("sort --record 100 --key 0:10", input));
  if (const auto limit = shop->tool("limit_sort")) {
    add("limit_sort", shop->program(fmt::format("{} {} {}", *limit, input, shop->threads())));
  }
  if (const auto sort = shop->tool("sort")) {
    add("GNU sort -S4G", shop->program(fmt::format("{} -S4G --parallel={} -T {} {}", *sort,
                                                   shop->threads(), shop->scratch(), input)));
  }
  contest.run(shop->rounds());
}

void run_sort(Workshop *shop) {
  const auto file = shop->input("tera1g.txt");
  if (!file) return;
  compare_sorts(shop, *file, false);
  compare_sorts(shop, *file, true);
}

void run_scaling(Workshop *shop) {
  const struct {
    const char *verb, *file;
  } jobs[] = {{"wordcount", "books300.txt"}, {"wordcount", "zipf300.txt"},
              {"count", "stations.txt"},     {"distinct", "stations.txt"},
              {"index", "many100.txt"},      {"index", "few100.txt"},
              {"sort", "tera1g.txt"}};
  for (const auto &job : jobs) {
    const auto file = shop->input(job.file);
    if (!file) continue;
    Contest contest(fmt::format("{}: {}", job.verb, describe_file(*file)));
    for (int threads = 1;; threads = std::min(2 * threads, shop->threads())) {
      contest.add(fmt::format("-j{}", threads),
                  shop->mrc(fmt::format("{} -j{}", job.verb, threads), *file));
      if (threads == shop->threads()) break;
    }
    contest.run(shop->rounds());
  }
}

}  // namespace

const Experiment kSort = {"sort", "sort", "lines in order, limit_sort, GNU sort", run_sort};
const Experiment kScaling = {"scaling", "scaling", "every verb with one thread and more",
                             run_scaling};

}  // namespace bench
