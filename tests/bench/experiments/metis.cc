// Metis: structures for the map output (fig. 12-15), the ladder of its optimizations
// (fig. 11), and how well the number of keys is foretold (fig. 16).
#include "stats_text.h"
#include "workshop.h"

#include <fmt/format.h>

namespace bench {
namespace {

constexpr const char *kStructures[] = {"flat",        "hashtree",     "tree", "fixed",
                                       "append-sort", "append-group", "array"};

struct Workload {
  const char *file, *figure;
};

constexpr Workload kWorkloads[] = {{"many100.txt", "few keys & many dups, fig. 12"},
                                   {"few100.txt", "many keys & few dups, fig. 13"},
                                   {"manymany800.txt", "many keys & many dups, fig. 14"},
                                   {"unpred500.txt", "unpredictable, fig. 15"}};

void compare_structures(Workshop *shop, const std::string &verb, const Workload &workload) {
  const auto file = shop->input(workload.file);
  if (!file) return;
  Contest contest(fmt::format("{}: {} ({})", verb, workload.figure, describe_file(*file)));
  contest.add("auto", shop->mrc(verb + " --container auto", *file));
  for (const std::string name : kStructures) {
    contest.add(name, shop->mrc(verb + " --container " + name, *file));
  }
  contest.run(shop->rounds(), Against::best);
  const Alternative *best = contest.best(1);
  if (best == nullptr || !contest.all()[0].ran()) return;
  fmt::print("  auto / best ({}): {:.2f}\n\n", best->name,
             ratio(contest.all()[0], *best, &Sample::wall));
}

void run_containers(Workshop *shop) {
  for (const char *verb : {"index", "wordcount"}) {
    for (const Workload &workload : kWorkloads) compare_structures(shop, verb, workload);
  }
}

struct Rung {
  const char *name, *options;
};

// From what Phoenix does to what mrc does; each adds one thing.
constexpr Rung kUpwards[] = {
    {"combine: none",
     "--container append-sort --engine sample=off --engine pool=off --engine prefetch=off "
     "--engine merge=tree"},
    {"combine: at the end of map",
     "--container append-group --engine sample=off --engine pool=off --engine prefetch=off "
     "--engine merge=tree"},
    {"at insertion, 256 entries",
     "--container fixed --engine sample=off --engine pool=off --engine prefetch=off "
     "--engine merge=tree"},
    {"+ more entries (hashtree)",
     "--container hashtree --engine sample=off --engine pool=off --engine prefetch=off "
     "--engine merge=tree"},
    {"+ as many as foretold",
     "--container hashtree --engine pool=off --engine prefetch=off --engine merge=tree"},
    {"+ merge: psrs", "--container hashtree --engine pool=off --engine prefetch=off"},
    {"+ threads of a pool", "--container hashtree --engine prefetch=off"},
    {"+ open addressing (flat)", "--container flat --engine prefetch=off"},
    {"+ prefetch", "--container flat"},
    {"auto", "--container auto"},
};

constexpr Rung kOneLess[] = {
    {"auto", ""},
    {"without prediction", "--engine sample=off"},
    {"sample of the head", "--engine sample=head:7%"},
    {"without prefetch", "--engine prefetch=off"},
    {"without a pool", "--engine pool=off"},
    {"merge: tree", "--engine merge=tree"},
    {"without fingerprints", "--engine fingerprint=off"},
    {"without reuse", "--engine reuse=off"},
};

void climb(Workshop *shop, const char *verb, const char *name) {
  const auto file = shop->input(name);
  if (!file) return;
  Contest up(fmt::format("{}, one thing more in each line ({})", verb, describe_file(*file)));
  for (const Rung &rung : kUpwards) {
    up.add(rung.name, shop->mrc(fmt::format("{} {}", verb, rung.options), *file));
  }
  up.run(shop->rounds());
  Contest less(fmt::format("{}, one thing less than auto ({})", verb, describe_file(*file)));
  for (const Rung &rung : kOneLess) {
    less.add(rung.name, shop->mrc(fmt::format("{} {}", verb, rung.options), *file));
  }
  less.run(shop->rounds());
}

void run_ladder(Workshop *shop) {
  climb(shop, "wordcount", "zipf300.txt");
  climb(shop, "index", "few100.txt");
}

void foretell(Workshop *shop, const char *verb, const char *name) {
  const auto file = shop->input(name);
  if (!file) return;
  Contest contest(fmt::format("{}: {}", verb, describe_file(*file)));
  contest.remark("keys", [](const Alternative &a) {
    return line_of(a.outcomes.back().errors, "keys").value_or("no prediction");
  });
  for (const char *sample : {"off", "strided", "head:7%"}) {
    contest.add(fmt::format("sample={}", sample),
                shop->mrc(fmt::format("{} --stats --engine sample={}", verb, sample), *file));
  }
  contest.run(shop->rounds());
}

void run_prediction(Workshop *shop) {
  for (const char *verb : {"index", "wordcount"}) {
    for (const Workload &workload : kWorkloads) foretell(shop, verb, workload.file);
  }
  foretell(shop, "wordcount", "books300.txt");
  foretell(shop, "wordcount", "zipf300.txt");
  foretell(shop, "count", "stations.txt");
}

}  // namespace

const Experiment kContainers = {
    "metis", "containers", "structures for groups by workload (Metis fig. 12-15)", run_containers};
const Experiment kLadder = {"metis", "ladder",
                            "when to combine, and what each mechanism gives (Metis fig. 11)",
                            run_ladder};
const Experiment kPrediction = {
    "metis", "prediction", "error and cost of predicting the keys (Metis fig. 16)", run_prediction};

}  // namespace bench
