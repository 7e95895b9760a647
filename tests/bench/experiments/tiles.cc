// Tiled-MapReduce: the size of tiles (fig. 18), memory over time (fig. 15, 16), and what
// the pipeline of tiles gives (fig. 21).
#include "stats_text.h"
#include "workshop.h"

#include <fmt/format.h>

#include <algorithm>

namespace bench {
namespace {

struct Structure {
  const char *name, *options;
};

constexpr Structure kStructures[] = {
    {"flat", "--container flat"},
    {"hashtree", "--container hashtree"},
    {"tree", "--container tree"},
    {"append-group", "--container append-group"},
};

void run_tiles(Workshop *shop) {
  const auto file = shop->input("zipf300.txt");
  if (!file) return;
  for (const Structure &structure : kStructures) {
    Contest contest(fmt::format("wordcount, {} ({})", structure.name, describe_file(*file)));
    auto add = [&](const std::string &name, const std::string &option) {
      contest.add(name,
                  shop->mrc(fmt::format("wordcount {} {}", structure.options, option), *file));
    };
    add("no tiles", "--tile off");
    add("tiles that fit in the cache", "--tile cache");
    for (const char *size : {"2M", "4M", "8M", "16M", "32M", "64M", "128M"}) {
      add(fmt::format("tiles of {}", size), fmt::format("--tile {}", size));
    }
    contest.run(shop->rounds());
  }
}

// The run as sixty bars, each as high as the memory at its time.
std::string sparkline(const std::vector<double> &mib, double highest) {
  constexpr size_t kBars = 60;
  static constexpr const char *kHeights[] = {" ", "▁", "▂", "▃",  // of eighths
                                             "▄", "▅", "▆", "▇", "█"};
  std::string line;
  for (size_t bar = 0; bar < kBars && !mib.empty(); ++bar) {
    const double share = mib[bar * mib.size() / kBars] / std::max(highest, 1e-9);
    line += kHeights[std::clamp(static_cast<int>(share * 8 + 0.5), 0, 8)];
  }
  return line;
}

double mean(const std::vector<double> &values) {
  double sum = 0;
  for (double value : values) sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

struct Variant {
  const char *name, *options;
};

constexpr Variant kVariants[] = {
    {"no tiles, mapped", "--tile off --io mmap --container append-group"},
    {"no tiles", "--tile off --container append-group"},
    {"tiles of 16M", "--tile 16M --container append-group"},
    {"tiles of 16M, no reuse", "--tile 16M --container append-group --engine reuse=off"},
    {"tiles of 16M, no compress", "--tile 16M --container append-group --engine compress=off"},
    {"flat, as planned", ""},
};

// One after the other: their curves are put on the same scale.
void draw_footprints(Workshop *shop, const std::string &verb, const std::string &file) {
  std::vector<Outcome> outcomes;
  double highest = 0;
  for (const Variant &variant : kVariants) {
    Command command = shop->mrc(fmt::format("{} {}", verb, variant.options), file);
    command.footprint = true;
    outcomes.push_back(bench::run(command));
    highest = std::max(highest, outcomes.back().sample.peak_mib);
  }
  fmt::print("{}: resident MiB every 10 ms ({}); the bars' full height is {:.0f} MiB\n", verb,
             describe_file(file), highest);
  fmt::print("  {:<24}{:>8}{:>8}{:>9}\n", "", "peak", "mean", "wall s");
  for (size_t i = 0; i < outcomes.size(); ++i) {
    const Outcome &o = outcomes[i];
    if (o.status != 0) {
      fmt::print("  {:<24}{}\n", kVariants[i].name, o.errors.substr(0, o.errors.find('\n')));
      continue;
    }
    fmt::print("  {:<24}{:>8.1f}{:>8.1f}{:>9.3f}  |{}|\n", kVariants[i].name, o.sample.peak_mib,
               mean(o.resident_mib), o.sample.wall, sparkline(o.resident_mib, highest));
  }
  std::fflush(stdout);
}

// The same text one, two and four times: its keys do not become more.
void grow_input(Workshop *shop, const char *verb, const std::string &file) {
  Contest contest(fmt::format("{}: the input once, twice, four times", verb));
  for (const Variant &variant : {kVariants[0], kVariants[2], kVariants[5]}) {
    for (size_t times : {1, 2, 4}) {
      Command command = shop->mrc(fmt::format("{} --top 10 {}", verb, variant.options), file);
      for (size_t i = 1; i < times; ++i) command.argv.push_back(file);
      contest.add(fmt::format("{}, x{}", variant.name, times), std::move(command));
    }
  }
  contest.allow_differences();
  contest.run(shop->rounds());
}

void run_footprint(Workshop *shop) {
  if (const auto file = shop->input("zipf300.txt")) {
    draw_footprints(shop, "wordcount", *file);
    grow_input(shop, "wordcount", *file);
  }
}

void print_idle(const Contest &contest) {
  fmt::print("  {:<30}", "phase: wall ms, idle share");
  for (const PhaseFigures &phase : phases_of(contest.all()[0])) fmt::print("{:>16}", phase.name);
  fmt::print("\n");
  for (const Alternative &a : contest.all()) {
    if (!a.ran()) continue;
    fmt::print("  {:<30}", a.name);
    for (const PhaseFigures &phase : phases_of(a)) {
      fmt::print("{:>10.1f}{:>5.0f}%", phase.wall_ms, phase.idle_percent);
    }
    fmt::print("\n");
  }
  std::fflush(stdout);
}

void run_pipeline(Workshop *shop) {
  const struct {
    const char *verb, *file;
  } jobs[] = {{"wordcount --container append-group", "zipf300.txt"},
              {"wordcount", "zipf300.txt"},
              {"index --container append-group", "many100.txt"}};
  for (const auto &job : jobs) {
    const auto file = shop->input(job.file);
    if (!file) continue;
    Contest contest(fmt::format("{}: {}", job.verb, describe_file(*file)));
    for (const char *tile : {"4M", "16M", "64M"}) {
      for (const char *pipeline : {"on", "off"}) {
        const std::string words =
            fmt::format("{} -j4 --stats --tile {} --engine pipeline={}", job.verb, tile, pipeline);
        contest.add(fmt::format("tiles of {}, pipeline {}", tile, pipeline),
                    shop->mrc(words, *file));
      }
    }
    contest.run(shop->rounds());
    print_idle(contest);
  }
}

}  // namespace

const Experiment kTiles = {"tiled", "tiles", "time by size of tiles (Tiled-MapReduce fig. 18)",
                           run_tiles};
const Experiment kFootprint = {"tiled", "footprint",
                               "memory over time and input (Tiled-MapReduce fig. 15, 16)",
                               run_footprint};
const Experiment kPipeline = {
    "tiled", "pipeline", "idle share with and without it (Tiled-MapReduce fig. 21)", run_pipeline};

}  // namespace bench
