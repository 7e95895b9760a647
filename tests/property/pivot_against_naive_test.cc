// `mrc stats --across` on random CSV, against maps that are turned by obvious code: the same bytes
// with any threads, splits and memory, and through partials and states.
#include "support/process.h"
#include "support/random.h"
#include "support/temporary_folder.h"
#include "unit/map/padded_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace mrc {
namespace {

using std::string;
using std::vector;

#ifdef MRC_SANITIZED
constexpr u64 kRounds = 4;
#else
constexpr u64 kRounds = 20;
#endif

struct Record {
  string region, shop, item;
  i64 number;
};

struct Group {
  i64 count = 0, sum = 0;
  std::set<i64> values;
};

// The question: parts of the key, aggregates, and what fills cells.
struct Ask {
  i64 keys;          // 0: none; 1: region; 2: region and shop; 3: hundreds of the number
  bool by_hundreds;  // across these, and not items
  vector<string> aggregates;
  string fill;  // empty: none
  bool descends;

  string options() const {
    static const char *const kKeys[] = {"", " -k region", " -k region,shop", " -k n:100"};
    string text = string(kKeys[keys]) + " --across " + (by_hundreds ? "n:100" : "item") + " -a ";
    for (const string &each : aggregates) text += each + (each == aggregates.back() ? "" : ",");
    if (!fill.empty()) text += " --fill " + fill;
    return text + (descends ? " --desc" : "");
  }
};

i64 hundreds(i64 number) { return number - ((number % 100) + 100) % 100; }

// Keys that order as those of mrc do: numbers by value.
struct Part {
  i64 number;
  string text;
  auto operator<=>(const Part &) const = default;
};
Part number_part(i64 number) { return {number, std::to_string(number)}; }
Part text_part(const string &text) { return {0, text}; }

string show(const Group &group, const string &aggregate) {
  if (aggregate == "count") return std::to_string(group.count);
  if (aggregate == "sum:n") return std::to_string(group.sum);
  return std::to_string(group.values.size());
}

string naive(const vector<Record> &records, const Ask &ask) {
  std::map<vector<Part>, std::map<Part, Group>> rows;
  std::set<Part> columns;
  for (const Record &record : records) {
    vector<Part> key;
    if (ask.keys == 1 || ask.keys == 2) key.push_back(text_part(record.region));
    if (ask.keys == 2) key.push_back(text_part(record.shop));
    if (ask.keys == 3) key.push_back(number_part(hundreds(record.number)));
    const Part column =
        ask.by_hundreds ? number_part(hundreds(record.number)) : text_part(record.item);
    columns.insert(column);
    Group &group = rows[key][column];
    ++group.count;
    group.sum += record.number;
    group.values.insert(record.number);
  }
  // With --fill, hundreds between others have rows, too.
  if (!ask.fill.empty() && ask.keys == 3) {
    const i64 last = rows.rbegin()->first[0].number;
    for (i64 at = rows.begin()->first[0].number; at < last; at += 100) rows[{number_part(at)}];
  }
  static const vector<string> kNames[] = {{}, {"region"}, {"region", "shop"}, {"n:100"}};
  string header;
  for (const string &name : kNames[ask.keys]) header += name + ",";
  for (const Part &column : columns) {
    for (const string &each : ask.aggregates) {
      header += column.text + (ask.aggregates.size() == 1 ? "" : "_" + each) + ",";
    }
  }
  vector<string> lines;
  for (const auto &[key, cells] : rows) {
    string line;
    for (const Part &part : key) line += part.text + ",";
    for (const Part &column : columns) {
      const auto cell = cells.find(column);
      for (const string &each : ask.aggregates) {
        line += (cell == cells.end() ? ask.fill : show(cell->second, each)) + ",";
      }
    }
    line.back() = '\n';
    lines.push_back(line);
  }
  if (ask.descends) std::ranges::reverse(lines);
  header.back() = '\n';
  for (const string &line : lines) header += line;
  return header;
}

Ask random_ask(Random &random) {
  Ask ask{
      pick(random, 0, 3), one_in(random, 3), {}, one_in(random, 3) ? "0" : "", one_in(random, 4)};
  static const vector<string> kAggregates = {"count", "sum:n", "distinct:n"};
  for (const string &each : kAggregates) {
    if (one_in(random, 2)) ask.aggregates.push_back(each);
  }
  if (ask.aggregates.empty()) ask.aggregates = {"distinct:n"};
  return ask;
}

string random_engine(Random &random, bool isolates = true) {
  string options = " -j" + std::to_string(pick(random, 1, 6));
  if (one_in(random, 2)) options += " --split " + std::to_string(pick(random, 1, 3000));
  static const char *const kMemory[] = {"", " --memory 4K", " --memory 64K", " --memory 1M"};
  options += kMemory[pick(random, 0, 3)];
  static const char *const kOther[] = {" --isolate", " --tile 2K", " --container tree", "", ""};
  return options + kOther[pick(random, isolates ? 0 : 1, 4)];
}

string random_command(Random &random, const Ask &ask) {
  const string stats = "$MRC stats -f csv --header-in yes --to ";
  if (one_in(random, 8)) {
    return stats + "partial" + ask.options() + random_engine(random, false) +
           " in >part && $MRC merge --to csv part -j4 --memory 64K";
  }
  const string conduct = one_in(random, 8) ? " --state kept -j3" : random_engine(random);
  return stats + "csv" + ask.options() + conduct + " in";
}

TEST(PivotAgainstNaive, PrintsTheSameBytes) {
  for (u64 seed = first_seed(); seed < first_seed() + kRounds && !HasFailure(); ++seed) {
    SCOPED_TRACE("MRC_SEED=" + std::to_string(seed));
    Random random(seed);
    const TemporaryFolder folder;
    const i64 regions = pick(random, 1, one_in(random, 2) ? 5 : 3000);
    const i64 shops = pick(random, 1, 20), items = pick(random, 1, 60);
    const i64 count = pick(random, 1, one_in(random, 3) ? 10 : 8000);
    vector<Record> records;
    string text = "region,shop,item,n\n";
    for (i64 i = 0; i < count; ++i) {
      Record record{"r" + std::to_string(pick(random, 0, regions - 1)),
                    "s" + std::to_string(pick(random, 0, shops - 1)),
                    "i" + std::to_string(pick(random, 0, items - 1)),
                    pick(random, 0, 19999) - 10000};
      text += record.region + "," + record.shop + "," + record.item + "," +
              std::to_string(record.number) + "\n";
      records.push_back(std::move(record));
    }
    folder.write("in", text);
    for (int turn = 0; turn < 5 && !HasFailure(); ++turn) {
      const Ask ask = random_ask(random);
      const string command = "cd " + folder.path("") + " && rm -rf kept && { " +
                             random_command(random, ask) + " ; } >out 2>err";
      EXPECT_EQ(WEXITSTATUS(run_shell(command)), 0) << command << folder.read("err");
      EXPECT_TRUE(folder.read("out") == naive(records, ask)) << command;
    }
  }
}

}  // namespace
}  // namespace mrc
