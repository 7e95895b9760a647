// Each field of logs that meet in one file is right in each record, or missing.
#include "unit/fields/known_logs.h"

#include <cstdio>

namespace mrc {
namespace {

// Lines of two or three logs, as they meet in one file. Their fields are those of either.
KnownLog mix(const std::vector<KnownLog> &logs, Random *random) {
  KnownLog mixed;
  std::vector<size_t> next(logs.size());
  for (;;) {
    std::vector<size_t> left;
    for (size_t i = 0; i < logs.size(); ++i) {
      if (next[i] < logs[i].lines.size()) left.push_back(i);
    }
    if (left.empty()) return mixed;
    const size_t of = left[random->below(left.size())], line = next[of]++;
    mixed.lines.push_back(logs[of].lines[line]);
    mixed.text += mixed.lines.back() + "\n";
    mixed.values.push_back(logs[of].values[line]);
  }
}

// Leaves the values that are written in the lines of the log.
void forget_others(const std::vector<KnownColumnText> &columns, KnownLog *log) {
  for (Values &values : log->values) {
    std::erase_if(values, [&](const auto &value) { return !has_column(columns, value.first); });
  }
}

// Logs of one style would look like one log. A message can look like the columns of another log,
// about once in 300,000 lines, so the usual run is the same each time. MRC_ROUNDS=2 takes other
// seeds, and 8,000 lines a round.
TEST(RandomLog, HasNoWrongFieldsIfLogsAreMixed) {
  const u64 seed = rounds() > 1 ? first_seed() : 1;
  SCOPED_TRACE("MRC_SEED=" + std::to_string(seed));
  Random random(seed + 1);
  i64 lines = 0, right = 0, written = 0;
  for (i64 i = 0; i < 100 * rounds(); ++i) {
    std::vector<KnownLog> logs;
    std::vector<KnownColumnText> all;
    const size_t first = random.below(std::size(kStyles)), step = 1 + 2 * random.below(2);
    for (size_t left = 2 + random.below(2); left > 0; --left) {
      const bool is_json = logs.empty() && random.below(3) == 0;
      const std::vector<KnownColumnText> columns =
          is_json ? columns_of_objects(&random)
                  : kStyles[(first + step * left) % std::size(kStyles)](&random);
      logs.push_back(known_log(columns, &random));
      forget_others(columns, &logs.back());
      all.insert(all.end(), columns.begin(), columns.end());
    }
    const KnownLog log = mix(logs, &random);
    const Result<Dialect> dialect = sniff({.names_fields = true}, log.text, true);
    ASSERT_TRUE(dialect.is_ok());
    lines += std::ssize(log.lines);
    if (reads_pairs(*dialect)) continue;
    for (const std::string field : kProtected) {
      for (const Values &values : log.values) written += values.contains(field);
      if (!has_field(*dialect, field)) continue;
      right += expect_known(field, *dialect, all, log, false);
      ASSERT_FALSE(HasFailure());
    }
  }
  std::printf("%lld lines: %lld of %lld values, none wrong\n", static_cast<long long>(lines),
              static_cast<long long>(right), static_cast<long long>(written));
  EXPECT_GT(right * 3, written * 2);
}

}  // namespace
}  // namespace mrc
