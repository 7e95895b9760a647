// MaRCO: reducing eagerly while map runs (6.1.1), when records are spilled; and sorting
// with little memory.
#include "workshop.h"

#include <fmt/format.h>

namespace bench {
namespace {

struct Variant {
  const char *name, *options;
};

constexpr Variant kVariants[] = {
    {"none (Hadoop++)", "--engine eager=off --engine pipeline=off"},
    {"eager reduce", "--engine eager=on --engine pipeline=off"},
    {"overlapped, not eager", "--engine eager=off --engine pipeline=on"},
    {"both (MaRCO)", "--engine eager=on --engine pipeline=on"},
};

void compare_variants(Workshop *shop, const char *verb, const std::string &file,
                      const char *memory) {
  Contest contest(fmt::format("{} --memory {}: {}", verb, memory, describe_file(file)));
  for (const Variant &variant : kVariants) {
    const std::string words = fmt::format("{} --memory {} --tmpdir {} {}", verb, memory,
                                          shop->scratch(), variant.options);
    contest.add(variant.name, shop->mrc(words, file));
  }
  contest.run(shop->rounds());
}

void run_eager(Workshop *shop) {
  const struct {
    const char *verb, *file;
  } jobs[] = {{"index", "few100.txt"},
              {"index", "many100.txt"},
              {"wordcount", "few100.txt"},
              {"wordcount", "zipf300.txt"}};
  for (const auto &job : jobs) {
    const auto file = shop->input(job.file);
    if (!file) continue;
    for (const char *memory : {"64M", "128M"}) compare_variants(shop, job.verb, *file, memory);
  }
}

void run_spilling_sort(Workshop *shop) {
  const auto file = shop->input("tera1g.txt");
  if (!file) return;
  for (const char *memory : {"256M", "64M"}) {
    Contest contest(fmt::format("lines in order, {} of memory ({})", memory, describe_file(*file)));
    const std::string folder = shop->scratch();
    contest.add("mrc sort",
                shop->mrc(fmt::format("sort --memory {} --tmpdir {}", memory, folder), *file));
    contest.add(
        "mrc sort, eager=off",
        shop->mrc(fmt::format("sort --memory {} --tmpdir {} --engine eager=off", memory, folder),
                  *file));
    if (const auto sort = shop->tool("sort")) {
      contest.add("GNU sort", shop->program(fmt::format("{} -S{} --parallel={} -T {} {}", *sort,
                                                        memory, shop->threads(), folder, *file)));
    }
    contest.run(shop->rounds());
  }
}

}  // namespace

const Experiment kEager = {"marco", "eager", "eager reduce while spilling (MaRCO 6.1.1)",
                           run_eager};
const Experiment kSpillingSort = {"marco", "spilling-sort", "sort with 256M and 64M, and GNU sort",
                                  run_spilling_sort};

}  // namespace bench
