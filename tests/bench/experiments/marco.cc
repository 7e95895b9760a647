// MaRCO: reducing eagerly while map runs (6.1.1), and what its controls do (6.5), when records are
// spilled; and sorting with little memory.
#include "stats_text.h"
#include "workshop.h"

#include <fmt/format.h>

#include <filesystem>

namespace bench {
namespace {

struct Variant {
  const char *name, *switches;
};

// 6.1.1. All are given the same memory; an eighth of it is for the partial reduces.
constexpr Variant kVariants[] = {
    {"none (Hadoop++)", "runs=wait"},
    {"sort only", "runs=sort"},
    {"full (MaRCO)", "runs=reduce"},
    {"no controls", "runs=reduce,start=1,stop=100%,priority=normal,stagger=off"},
    {"compact in memory", "runs=wait,eager=on"},
};

// Fig. 10, and one control less.
constexpr Variant kControls[] = {
    {"full (MaRCO)", "runs=reduce"},
    {"start=1", "runs=reduce,start=1"},
    {"start=12", "runs=reduce,start=12"},
    {"stop=80%", "runs=reduce,stop=80%"},
    {"stop=100%", "runs=reduce,stop=100%"},
    {"priority=normal", "runs=reduce,priority=normal"},
    {"stagger=off", "runs=reduce,stagger=off"},
};

// Words of a job, its input, and whether that comes slowly.
struct Job {
  std::string words, file;
  bool slow = false;
};

// "1.20 + 0.40 s; 2 launches, ..."
std::string phases_and_launches(const Alternative &a) {
  double map = 0, reduce = 0;
  for (const PhaseFigures &phase : phases_of(a)) {
    if (phase.name == "map") map = phase.wall_ms;
    if (phase.name == "reduce") reduce = phase.wall_ms;
  }
  const std::string eager = line_of(a.outcomes.back().errors, "eager").value_or("no launches");
  return fmt::format("{:.2f} + {:.2f} s; {}", map / 1000, reduce / 1000, eager);
}

// A pipe that gets 4 MiB and then nothing for 40 ms: workers wait for input, as they do for the
// network of the paper.
Command slowly(const Workshop &shop, const std::string &words, const std::string &file) {
  std::error_code error;
  const auto pieces = std::filesystem::file_size(file, error) / (4 << 20) + 1;
  Command command = shop.program("/bin/sh -c");
  command.argv.push_back(fmt::format(
      "i=0; while [ $i -lt {} ]; do dd if={} bs=4M skip=$i count=1 2>/dev/null; sleep 0.04; "
      "i=$((i+1)); done | {}/mrc {}",
      pieces, file, shop.build(), words));
  return command;
}

template <size_t kCount>
void compare(Workshop *shop, const Job &job, const Variant (&variants)[kCount]) {
  Contest contest(fmt::format("{}, {}{}", job.words, describe_file(job.file),
                              job.slow ? ", from a slow pipe" : ""));
  contest.remark("map + reduce; eager", phases_and_launches);
  for (const Variant &variant : variants) {
    const std::string words = fmt::format("{} --tmpdir {} --stats --engine {}", job.words,
                                          shop->scratch(), variant.switches);
    contest.add(variant.name,
                job.slow ? slowly(*shop, words, job.file) : shop->mrc(words, job.file));
  }
  contest.run(shop->rounds());
}

// Inputs of several times the memory. With one thread, a CPU is left for partial reduces.
void run_eager(Workshop *shop) {
  if (const auto file = shop->input("zipf300.txt")) {
    compare(shop, {"wordcount -j2 --memory 64M", *file}, kVariants);
    compare(shop, {"wordcount -j1 --memory 64M", *file}, kVariants);
    compare(shop, {"wordcount -j2 --memory 64M", *file, true}, kVariants);
    compare(shop, {"index -j2 --memory 128M", *file}, kVariants);
  }
  if (const auto file = shop->input("few100.txt")) {
    compare(shop, {"wordcount -j2 --memory 64M", *file}, kVariants);
  }
  if (const auto file = shop->keys("2000000 zipf:0.5")) {
    compare(shop, {"count -k 1 -j2 --memory 64M", *file}, kVariants);
    shop->remove(*file);
  }
}

void run_controls(Workshop *shop) {
  const auto file = shop->input("zipf300.txt");
  if (!file) return;
  // In 64M there are too few runs to show where launches begin and end.
  compare(shop, {"wordcount -j2 --memory 16M", *file}, kControls);
  compare(shop, {"wordcount -j1 --memory 16M", *file}, kControls);
  compare(shop, {"wordcount -j2 --memory 64M", *file, true}, kControls);
}

void run_spilling_sort(Workshop *shop) {
  const auto file = shop->input("tera1g.txt");
  if (!file) return;
  for (const char *memory : {"256M", "64M"}) {
    Contest contest(fmt::format("lines in order, {} of memory ({})", memory, describe_file(*file)));
    const std::string folder = shop->scratch();
    contest.add("mrc sort",
                shop->mrc(fmt::format("sort --memory {} --tmpdir {}", memory, folder), *file));
    if (const auto sort = shop->tool("sort")) {
      contest.add("GNU sort", shop->program(fmt::format("{} -S{} --parallel={} -T {} {}", *sort,
                                                        memory, shop->threads(), folder, *file)));
    }
    contest.run(shop->rounds());
  }
}

}  // namespace

const Experiment kEager = {"marco", "eager", "reducing spilled runs while mapping (MaRCO 6.1.1)",
                           run_eager};
const Experiment kEagerControls = {"marco", "eager-controls", "its controls (MaRCO, fig. 10)",
                                   run_controls};
const Experiment kSpillingSort = {"marco", "spilling-sort", "sort with 256M and 64M, and GNU sort",
                                  run_spilling_sort};

}  // namespace bench
