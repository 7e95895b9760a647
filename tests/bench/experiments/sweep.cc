// How much is lost by letting the planner choose: keys x skew, auto against fixed settings.
#include "workshop.h"

#include <fmt/format.h>

#include <algorithm>

namespace bench {
namespace {

struct Setting {
  const char *name, *options;
};

constexpr Setting kSettings[] = {
    {"auto", "--container auto"},
    {"flat, all in one table", "--container flat --engine hot=1T"},
    {"hot=16M", "--container flat --engine hot=16M"},
    {"hot=1M", "--container flat --engine hot=1M"},
    {"hot=4K (stage everything)", "--container flat --engine hot=4K"},
    {"append-group", "--container append-group"},
};

struct Cell {
  std::string name, best;
  double regret;  // of auto, in percent of the best fixed setting
};

std::optional<Cell> measure(Workshop *shop, i64 keys, const std::string &skew) {
  const auto file = shop->keys(fmt::format("{} {}", keys, skew));
  if (!file) return std::nullopt;
  Contest contest(fmt::format("count, {} rows of {} keys, {}", shop->rows(), keys, skew));
  for (const Setting &setting : kSettings) {
    contest.add(setting.name, shop->mrc(fmt::format("count {}", setting.options), *file));
  }
  contest.run(shop->rounds(), Against::best);
  shop->remove(*file);
  const Alternative *best = contest.best(1);
  if (best == nullptr || !contest.all()[0].ran()) return std::nullopt;
  const double regret = 100 * (ratio(contest.all()[0], *best, &Sample::wall) - 1);
  return Cell{fmt::format("{} keys, {}", keys, skew), best->name, std::max(0.0, regret)};
}

void print_regrets(std::vector<Cell> cells) {
  if (cells.empty()) return;
  std::vector<double> regrets;
  fmt::print("regret of auto against the best fixed setting\n");
  for (const Cell &cell : cells) {
    fmt::print("  {:<30}{:>6.1f} %  {}\n", cell.name, cell.regret, cell.best);
    regrets.push_back(cell.regret);
  }
  const double worst = *std::max_element(regrets.begin(), regrets.end());
  fmt::print("  median {:.1f} % (goal: 10), worst {:.1f} % (goal: 25)\n", median(regrets), worst);
  std::fflush(stdout);
}

void run_sweep(Workshop *shop) {
  std::vector<Cell> cells;
  for (const i64 keys : {100, 10'000, 1'000'000, 10'000'000, 50'000'000}) {
    for (const char *skew : {"uniform", "zipf:0.8", "zipf:1.0", "zipf:1.2", "drift"}) {
      if (auto cell = measure(shop, keys, skew)) cells.push_back(std::move(*cell));
    }
  }
  print_regrets(std::move(cells));
}

}  // namespace

const Experiment kSweep = {"sweep", "sweep", "regret of auto by number of keys and skew",
                           run_sweep};

}  // namespace bench
