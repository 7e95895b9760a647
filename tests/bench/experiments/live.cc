// Tiled-MapReduce: what interim answers cost (fig. 25), and how soon they are right (fig. 26).
#include "workshop.h"

#include <fmt/format.h>

#include <fstream>
#include <set>

namespace bench {
namespace {

// One tier selects the first rows; the second sorts all of them, as another job would.
constexpr const char *kJobs[] = {"wordcount --top 10", "wordcount --by count"};
constexpr const char *kFiles[] = {"books300.txt", "zipf300.txt"};

void run_interim(Workshop *shop) {
  for (const char *name : kFiles) {
    const auto file = shop->input(name);
    if (!file) continue;
    const std::string shown = shop->scratch() + "/shown";
    for (const char *job : kJobs) {
      Contest contest(fmt::format("{}: {}", job, describe_file(*file)));
      contest.add("no interim answers", shop->mrc(job, *file));
      for (const char *when : {"2s", "100ms", "10%", "1%", "10%,order", "1%,order"}) {
        contest.add(when,
                    shop->mrc(fmt::format("{} --live={} --live-to {}", job, when, shown), *file));
      }
      contest.run(shop->rounds());
    }
    shop->remove(shown);
  }
}

using Words = std::vector<std::string>;

// By the share of the input that they are of, in this order: the words of each answer.
std::vector<std::pair<std::string, Words>> answers_in(const std::string &path) {
  std::vector<std::pair<std::string, Words>> answers;
  std::ifstream in(path);
  for (std::string row; std::getline(in, row);) {
    const size_t word = row.find(":\"") + 2, share = row.rfind(':') + 1;
    const std::string progress = row.substr(share, row.size() - 1 - share);
    if (answers.empty() || answers.back().first != progress) answers.push_back({progress, {}});
    answers.back().second.push_back(row.substr(word, row.find('"', word) - word));
  }
  return answers;
}

// From which answer on the first words are those of the last one, in any order.
std::string right_from(const std::vector<std::pair<std::string, Words>> &answers, size_t top) {
  const auto first = [top](const Words &words) {
    return std::multiset<std::string>(
        words.begin(), words.begin() + static_cast<long>(std::min(top, words.size())));
  };
  size_t from = answers.size() - 1;
  while (from > 0 && first(answers[from - 1].second) == first(answers.back().second)) --from;
  return answers[from].first;
}

void run_top(Workshop *shop) {
  constexpr size_t kTops[] = {3, 5, 10, 20, 100};
  for (const char *name : kFiles) {
    const auto file = shop->input(name);
    if (!file) continue;
    const std::string shown = shop->scratch() + "/answers";
    for (const char *when : {"1%", "1%,order"}) {
      Command command =
          shop->mrc(fmt::format("wordcount --top 100 --to json --live={}", when), *file);
      command.argv.insert(command.argv.begin(), {"sh", "-c", "exec \"$@\" >" + shown, "sh"});
      bench::run(command);
      const auto answers = answers_in(shown);
      if (answers.empty()) continue;
      fmt::print("\n### {}, --live={}, {} answers\n\n| first words | right from |\n|---|---|\n",
                 describe_file(*file), when, answers.size());
      for (const size_t top : kTops) fmt::print("| {} | {} |\n", top, right_from(answers, top));
    }
    shop->remove(shown);
  }
}

}  // namespace

const Experiment kInterim = {"tiled", "interim",
                             "the cost of interim answers (Tiled-MapReduce fig. 25)", run_interim};
const Experiment kTop = {"tiled", "top",
                         "how soon the first rows are right (Tiled-MapReduce fig. 26)", run_top};

}  // namespace bench
