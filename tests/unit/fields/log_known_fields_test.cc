// Each field of a log is right in each line, or missing.
#include "unit/fields/known_logs.h"

#include <cstdio>

namespace mrc {
namespace {

// A job that asks for the field alone has the values of one that asks for others, too.
void expect_same_alone(const std::string &field, const Dialect &dialect, const KnownLog &log) {
  const Result<Dialect> alone = sniff({.names_fields = true, .named = {field}}, log.text, true);
  ASSERT_TRUE(alone.is_ok());
  ASSERT_EQ(read_records(*alone, {field}, log.text).rows,
            read_records(dialect, {field}, log.text).rows)
      << field << " of " << line_of_log(log, *alone, 0);
}

// MRC_ROUNDS=4 takes more than 200,000 lines.
TEST(RandomLog, HasNoWrongFields) {
  const u64 seed = first_seed();
  SCOPED_TRACE("MRC_SEED=" + std::to_string(seed));
  Random random(seed);
  i64 lines = 0, right = 0, written = 0;
  for (i64 i = 0; i < 2000 * rounds(); ++i) {
    const std::vector<KnownColumnText> columns = random.one_of(kStyles)(&random);
    const KnownLog log = known_log(columns, &random);
    const Result<Dialect> dialect = sniff({.names_fields = true}, log.text, true);
    ASSERT_TRUE(dialect.is_ok());
    lines += std::ssize(log.lines);
    if (reads_pairs(*dialect)) continue;
    const std::string alone = random.one_of(kProtected);
    for (const std::string field : kProtected) {
      written += has_column(columns, field) ? std::ssize(log.lines) : 0;
      if (!has_field(*dialect, field)) continue;
      right += expect_known(field, *dialect, columns, log);
      ASSERT_FALSE(HasFailure());
      if (field == alone) expect_same_alone(field, *dialect, log);
      ASSERT_FALSE(HasFailure());
    }
  }
  std::printf("%lld lines: %lld of %lld values, none wrong\n", static_cast<long long>(lines),
              static_cast<long long>(right), static_cast<long long>(written));
  EXPECT_GT(right * 3, written * 2);
}

}  // namespace
}  // namespace mrc
