// Names in logs: a thread or a host is no logger.
#include "unit/fields/read_records.h"

namespace mrc {
namespace {

std::string named_layout_of(const std::string &text) {
  return sniff({.names_fields = true}, text, true)->pattern;
}

TEST(LogNames, AreThreadsIfTheyHaveNumbers) {
  EXPECT_EQ(named_layout_of("2025-03-04 10:00:00 Info pool-1-thread-2: cannot open\n"
                            "2025-03-04 10:00:01 Warning worker-1: one more\n"
                            "2025-03-04 10:00:02 Info worker-2: and another\n"),
            "%~%{time} %{level} %{thread}: %{message}");
  EXPECT_EQ(named_layout_of("2025/03/04 10:00:00 [app.Main] (pool-1-thread-2): cannot open\n"
                            "2025/03/04 10:00:01 [app.Main] (worker-1): one more\n"
                            "2025/03/04 10:00:02 [db.Pool] (worker-2): and another\n"),
            "%~%{time} [%{logger}] (%{thread}): %{message}");
}

TEST(LogNames, AreNoLoggersIfTheyAreThoseOfMachines) {
  for (const std::string name : {"<web-3> -", "[web-3]:", "web-3:"}) {
    const std::string text = "2025-03-04 10:00:00 INFO " + name + " cannot open\n" +
                             "2025-03-04 10:00:01 WARN " + name + " one more\n" +
                             "2025-03-04 10:00:02 INFO " + name + " and another\n";
    EXPECT_EQ(named_layout_of(text).find("logger"), std::string::npos) << named_layout_of(text);
  }
}

// Two words before a level in brackets are no time of MySQL.
TEST(LogNames, AreNoClocks) {
  const FormatSpec any{.names_fields = true};
  const std::string text =
      "1679238016 (web-2) [Warning] worker-1: one\n1679238021 (web-1) [Note] worker-2: two words\n";
  EXPECT_EQ(read_records(any, {"time"}, text).rows[0][0], "1679238016");
}

}  // namespace
}  // namespace mrc
