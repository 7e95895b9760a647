// Orders by several columns, of all ways to run a job, against a stable sort of the rows
// that the same job prints in the order of its keys.
#include "engine/engine.h"
#include "support/random.h"
#include "support/seed.h"
#include "support/silent_observer.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

namespace mrc {
namespace {

using std::string;

#ifdef MRC_SANITIZED
constexpr i64 kRounds = 15;
#else
constexpr i64 kRounds = 80;
#endif

string random_text(Random &random, i64 words) {
  string text;
  for (i64 i = 0; i < words; ++i) {
    const i64 n = pick(random, 0, words / 2);
    text += string(static_cast<size_t>(n % 40), static_cast<char>('a' + n % 3)) +
            std::to_string(n * 7919 % words) + (i % 5 == 0 ? "\n" : " ");
  }
  return text;
}

// Words with how often, where first, and where at all they occur: a number, a number, and
// text of any length.
Program program_of(const string &input) {
  Program program;
  program.inputs = {input};
  program.map.values = MapSpec::Values::byte;
  Column list = positions_aggregation().columns[0];
  list.part = 2;
  list.list = false;
  const Reducer *lists = positions_aggregation().parts[0].reducer;
  program.aggregation = {
      {{&kCount}, {&kFirst}, {lists}}, {count_column(0), first_column(1), list}, {}};
  return program;
}

// What it prints; `spilled` becomes how many rows were on disk.
string run_program(Program program, const TemporaryFolder &folder, i64 *spilled) {
  program.output = folder.path("out");
  program.tmpdir = folder.path(".");
  SilentObserver observer;
  Result<Report> report = run(program, make_plan(program), &observer);
  EXPECT_TRUE(report.is_ok()) << report.status().message();
  if (!report.is_ok()) return "";
  *spilled = report->spilled_rows;
  return folder.read("out");
}

using Cells = std::vector<string>;

std::vector<Cells> rows_of(const string &tsv) {
  std::vector<Cells> rows;
  std::istringstream lines(tsv);
  for (string line; std::getline(lines, line);) {
    std::istringstream cells(line);
    for (string cell : {"", "", "", ""}) {
      if (rows.empty() || rows.back().size() == 4) rows.emplace_back();
      std::getline(cells, cell, '\t');
      rows.back().push_back(cell);
    }
  }
  return rows;
}

// The cell that a term is about: the key, or a column.
bool less(const OrderTerm &term, const Cells &a, const Cells &b) {
  const size_t cell = static_cast<size_t>(term.column + 1);
  const bool number = cell == 1 || cell == 2;
  const Cells &x = term.descending ? b : a, &y = term.descending ? a : b;
  return number ? std::stoll(x[cell]) < std::stoll(y[cell]) : x[cell] < y[cell];
}

string sorted_naively(std::vector<Cells> rows, const Order &order) {
  for (size_t i = order.terms.size(); i-- > 0;) {
    std::stable_sort(rows.begin(), rows.end(),
                     [&](const Cells &a, const Cells &b) { return less(order.terms[i], a, b); });
  }
  string text;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (order.limit >= 0 && static_cast<i64>(i) >= order.limit) break;
    text += rows[i][0] + "\t" + rows[i][1] + "\t" + rows[i][2] + "\t" + rows[i][3] + "\n";
  }
  return text;
}

void choose_terms(Random &random, Order *order) {
  for (i64 n = pick(random, 1, 4); n > 0; --n) {
    const bool descending = pick(random, 0, 1) == 0;
    const i64 column = pick(random, -1, 2);
    order->terms.push_back(
        {.part = column < 0 ? 0 : -1, .column = column, .descending = descending});
  }
  if (pick(random, 0, 2) == 0) order->limit = pick(random, 0, 300);
}

// How it is run: with little memory rows are spilled.
void choose_way(Random &random, Program *program) {
  program->threads = pick(random, 1, 4);
  program->split_bytes = pick(random, 100, 5000);
  if (pick(random, 0, 1) == 0) program->memory = i64{1} << pick(random, 12, 16);
  if (pick(random, 0, 2) == 0) program->switches.hot_bytes = i64{64} << 10;
  program->switches.merge_tree = pick(random, 0, 3) == 0;
}

TEST(ColumnOrder, IsThatOfAStableSortByEachColumnFromTheLastOn) {
  i64 rounds_with_spills = 0;
  for (i64 round = 0; round < kRounds; ++round) {
    const u64 seed = first_seed() + static_cast<u64>(round);
    SCOPED_TRACE("MRC_SEED=" + std::to_string(seed));
    Random random(seed);
    TemporaryFolder folder;
    Program program = program_of(folder.write("in", random_text(random, pick(random, 0, 3000))));
    i64 spilled = 0;
    const std::vector<Cells> by_key = rows_of(run_program(program, folder, &spilled));
    choose_terms(random, &program.order);
    choose_way(random, &program);
    ASSERT_TRUE(run_program(program, folder, &spilled) == sorted_naively(by_key, program.order));
    rounds_with_spills += spilled > 0;
  }
  EXPECT_GT(rounds_with_spills, kRounds / 8);
}

}  // namespace
}  // namespace mrc
