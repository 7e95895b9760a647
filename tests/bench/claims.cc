// claims BUILD [--write]: reruns the rows of PAPERS.md, and fails if a figure is no longer true.
//
// A row is "| figure | claim | command | against | input | x | verdict |". `command` and `against`
// are words of mrc, such as `wordcount --split 16K`, or a line of sh after "$ ". {} stands for the
// input; without them it is the last argument. x is the wall time of `command`, relative to that of
// `against`; "peak 0.3" is that of peak memory. Both must give the same answer. A figure is true if
// what is measured is within a quarter of it, or within 0.1.
//
// With --write, the measured figures replace those in the page.
#include "workshop.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace bench {
namespace {

const std::string kPage = MRC_SOURCE_DIR "/tests/bench/PAPERS.md";
enum Cell : size_t { figure, claim, command, against, input, x, verdict, kCells };

struct Row {
  std::vector<std::string> cells;
  double Sample::*of = &Sample::wall;
  double value = 0;
};

std::string trimmed(const std::string &text) {
  const size_t begin = text.find_first_not_of(' ');
  return begin == text.npos ? "" : text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

// Splits a row at bars, but not at those that are escaped.
std::vector<std::string> cells_of(const std::string &line) {
  std::vector<std::string> cells;
  std::string cell;
  for (size_t i = 1; i < line.size(); ++i) {
    if (line[i] == '\\' && i + 1 < line.size() && line[i + 1] == '|') {
      cell.push_back(line[++i]);
    } else if (line[i] == '|') {
      cells.push_back(trimmed(cell));
      cell.clear();
    } else {
      cell.push_back(line[i]);
    }
  }
  return cells;
}

// Returns false for other lines of the page.
bool parse_row(const std::string &line, Row *row) {
  if (!line.starts_with("| ")) return false;
  row->cells = cells_of(line);
  if (row->cells.size() != kCells || !row->cells[command].starts_with('`')) return false;
  const bool is_peak = row->cells[x].starts_with("peak ");
  row->of = is_peak ? &Sample::peak_mib : &Sample::wall;
  row->value = std::atof(row->cells[x].c_str() + (is_peak ? 5 : 0));
  return true;
}

Command command_of(const Workshop &shop, const std::string &cell, const std::string &file) {
  const std::string words = cell.substr(1, cell.size() - 2);
  if (!words.starts_with("$ ")) return shop.mrc(words, file);
  std::string script = words.substr(2);
  if (script.find("{}") == script.npos) script += " {}";
  for (size_t at; (at = script.find("{}")) != script.npos;) script.replace(at, 2, file);
  Command command = shop.program("sh -c");
  command.argv.push_back(script);
  return command;
}

bool is_true(double stated, double measured) {
  const double off = std::abs(stated - measured);
  return off <= 0.1 || off <= stated / 4;
}

// Returns the line with the figure that was measured, or as it was if nothing could be.
std::string rerun(Workshop *shop, const std::string &line, const Row &row, bool *all) {
  const auto file = shop->input(row.cells[input]);
  if (!file) return line;
  Contest contest(fmt::format("{}: {}", row.cells[figure], row.cells[claim]));
  contest.add(row.cells[command], command_of(*shop, row.cells[command], *file));
  contest.add(row.cells[against], command_of(*shop, row.cells[against], *file));
  contest.run(shop->rounds());
  const std::vector<Alternative> &both = contest.all();
  if (!both[0].ran() || !both[1].ran()) return *all = false, line;
  const double measured = ratio(both[0], both[1], row.of);
  const bool holds = is_true(row.value, measured);
  *all &= holds;
  fmt::print("  stated {:.2f}, measured {:.2f}{}\n", row.value, measured, holds ? "" : ": OFF");
  const std::string digits =
      measured < 10 ? fmt::format("{:.2f}", measured) : fmt::format("{:.0f}", measured);
  const size_t end = line.rfind("| " + row.cells[verdict]);
  const size_t begin = line.rfind("| ", end - 1);
  const char *what = row.of == &Sample::wall ? "" : "peak ";
  return line.substr(0, begin) + "| " + what + digits + " " + line.substr(end);
}

int run_claims(const std::string &build, bool writes) {
  Workshop shop(build);
  const std::string path =
      shop.build() + ":" + shop.build() + "/tests/bench:" + std::getenv("PATH");
  setenv("PATH", path.c_str(), 1);
  setenv("MRC_PLUGIN_PATH", (shop.build() + "/plugins").c_str(), 1);
  std::ifstream page(kPage);
  std::string text, line;
  bool all = true;
  while (std::getline(page, line)) {
    Row row;
    text += (parse_row(line, &row) ? rerun(&shop, line, row, &all) : line) + "\n";
  }
  shop.print_missing();
  if (writes) std::ofstream(kPage) << text;
  return all && !any_contest_failed() ? 0 : 1;
}

}  // namespace
}  // namespace bench

int main(int argc, char **argv) {
  const bool writes = argc == 3 && std::string(argv[2]) == "--write";
  if (argc != 2 && !writes) {
    fmt::print(stderr, "usage: claims BUILD [--write]\n");
    return 2;
  }
  setenv("LC_ALL", "C", 1);
  return bench::run_claims(argv[1], writes);
}
