// Phoenix Rebirth: buckets (fig. 6, 7), splits (fig. 8; fig. 2 of the in-depth study), how
// input is read and memory reused (fig. 12, 14), and allocators.
#include "workshop.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace bench {
namespace {

std::vector<int> thread_counts(const Workshop &shop) {
  if (shop.threads() == 1) return {1};
  return {1, shop.threads()};
}

// `options` are "--engine partitions={}" or the like.
void compare_buckets(Workshop *shop, const std::string &what, const std::string &file,
                     const std::string &job, const std::string &options) {
  for (const int threads : {1, shop->threads(), 64}) {
    Contest contest(fmt::format("{} -j{}: {} ({})", job, threads, what, describe_file(file)));
    for (const char *number : {"256", "1", "16", "1024", "4096", "16384", "65536"}) {
      const std::string words =
          fmt::format("{} -j{} {}", job, threads, fmt::format(fmt::runtime(options), number));
      contest.add(number, shop->mrc(words, file));
    }
    contest.run(shop->rounds());
  }
}

// Fewer keys than buckets (fig. 6), and many more (fig. 7). A bucket of Phoenix is both: a place
// of the table of each worker, and a task of reduce.
void run_buckets(Workshop *shop) {
  const std::string tasks = "--engine share=off,partitions={}";
  const std::string both = "--container hashtree --engine buckets={0},partitions={0}";
  if (const auto file = shop->keys("100 uniform")) {
    compare_buckets(shop, "100 keys, fig. 6, tasks", *file, "count", tasks);
    compare_buckets(shop, "100 keys, fig. 6, tasks and places", *file, "count", both);
    shop->remove(*file);
  }
  if (const auto file = shop->input("zipf300.txt")) {
    compare_buckets(shop, "a million keys, fig. 7, tasks", *file, "wordcount", tasks);
    compare_buckets(shop, "a million keys, fig. 7, tasks and places", *file, "wordcount", both);
  }
}

void run_splits(Workshop *shop) {
  for (const char *name : {"books300.txt", "stations.txt"}) {
    const auto file = shop->input(name);
    if (!file) continue;
    const std::string verb = std::string(name) == "books300.txt" ? "wordcount" : "count";
    Contest contest(fmt::format("{}: {}", verb, describe_file(*file)));
    contest.add("as planned", shop->mrc(verb, *file));
    for (const char *size : {"16K", "64K", "256K", "512K", "1M", "2M", "4M", "8M", "16M", "64M"}) {
      contest.add(fmt::format("splits of {}", size),
                  shop->mrc(fmt::format("{} --split {}", verb, size), *file));
    }
    contest.run(shop->rounds());
  }
}

void run_reading(Workshop *shop) {
  for (const char *name : {"books300.txt", "zipf300.txt"}) {
    const auto file = shop->input(name);
    if (!file) continue;
    for (const int threads : thread_counts(*shop)) {
      Contest contest(fmt::format("wordcount -j{}: {}", threads, describe_file(*file)));
      for (const char *io : {"read", "mmap"}) {
        for (const char *reuse : {"on", "off"}) {
          const std::string words = fmt::format(
              "wordcount -j{} --io {} --tile 16M --engine reuse={}", threads, io, reuse);
          contest.add(fmt::format("{}, reuse {}", io, reuse), shop->mrc(words, *file));
        }
      }
      contest.run(shop->rounds());
    }
  }
}

// mrc without mimalloc, built on demand below the folder of the build.
std::optional<std::string> build_plain(Workshop *shop) {
  const std::string folder = shop->build() + "/plain-malloc";
  const std::string log = folder + ".log";
  const std::string script = fmt::format(
      "cmake -S '{0}' -B '{1}' -G Ninja -DCMAKE_BUILD_TYPE=Release -DMRC_TESTS=OFF "
      "-DMRC_MIMALLOC=OFF >'{2}' && cmake --build '{1}' -j {3} --target mrc >>'{2}'",
      MRC_SOURCE_DIR, folder, log, shop->threads());
  const Outcome outcome = bench::run({{"sh", "-c", script}});
  if (outcome.status == 0) return folder + "/mrc";
  fmt::print("the build with MRC_MIMALLOC=OFF failed; see {}\n", log);
  return std::nullopt;
}

void run_allocators(Workshop *shop) {
  const auto plain = build_plain(shop);
  const struct {
    const char *verb, *file;
  } jobs[] = {{"wordcount", "zipf300.txt"},
              {"index", "few100.txt"},
              {"wordcount --container hashtree", "zipf300.txt"},
              {"sort", "tera1g.txt"}};
  for (const auto &job : jobs) {
    const auto file = shop->input(job.file);
    if (!file) continue;
    Contest contest(fmt::format("{}: {}", job.verb, describe_file(*file)));
    contest.add("mimalloc, as linked", shop->mrc(job.verb, *file));
    auto add = [&](const char *name, const std::string &before) {
      Command command = shop->program(fmt::format("{} {} {}", before, *plain, job.verb));
      command.argv.push_back(*file);
      contest.add(name, std::move(command));
    };
    if (plain) {
      add("malloc of the system", "env");
      add("jemalloc", "env LD_PRELOAD=libjemalloc.so.2");
      add("tcmalloc", "env LD_PRELOAD=libtcmalloc_minimal.so.4");
      add("mimalloc, preloaded", "env LD_PRELOAD=libmimalloc.so.2");
    }
    contest.run(shop->rounds());
  }
}

}  // namespace

const Experiment kBuckets = {"phoenix", "buckets", "partitions and buckets (Phoenix fig. 6, 7)",
                             run_buckets};
const Experiment kSplits = {"phoenix", "splits", "size of splits (Phoenix fig. 8)", run_splits};
const Experiment kReading = {"phoenix", "reading",
                             "read or map, reuse or not (Phoenix fig. 12, 14)", run_reading};
const Experiment kAllocators = {"phoenix", "allocators", "malloc of mimalloc and of others",
                                run_allocators};

}  // namespace bench
