// Rows that a plugin reads against the same rows as JSON: the same answers with any threads, splits
// and memory.
#include "support/process.h"
#include "support/random.h"
#include "support/seed.h"
#include "support/temporary_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace mrc {
namespace {

using std::string;

// Returns the rows that tests/plugins/rows.c makes.
string rows_as_json(i64 count) {
  string json;
  for (i64 i = 0; i < count; ++i) {
    const string number = i % 11 == 0 ? "null" : std::to_string(i);
    const string name = i % 5 == 0 ? "null" : fmt::format("\"name {}\"", i % 7);
    json += fmt::format(R"({{"number":{},"half":{}{},"name":{},"at":"1970-01-01T{:02}:{:02}:{:02})",
                        number, i / 2, i % 2 == 0 ? "" : ".5", name, i / 7200, i / 120 % 60,
                        i / 2 % 60);
    json += i % 2 == 0 ? "Z\"}\n" : ".5Z\"}\n";
  }
  return json;
}

TEST(PluginReaders, HaveTheAnswersOfTheirRows) {
  Random random(first_seed());
  const TemporaryFolder folder;
  for (const i64 count : {0, 1, 700, 5000}) {
    folder.write("rows.json", rows_as_json(count));
    const string input = fmt::format("{}/rows.so:{}", MRC_TEST_PLUGINS, count);
    for (const string command :
         {"count -k name @", "stats -k at:10m -a count,sum:half,max:number,distinct:name @",
          "select -k name,number,at @", "select @", "sort -k half:desc @",
          "distinct -c -k name,number @", "wordcount @",
          "select -k number,half -w 'number > 100 and half < 900.5' @",
          "stats -a count -w 'not number >= 3' @",
          "select -k at -w 'at < \"1970-01-01T00:00:09Z\"' @",
          "stats -a count -w 'name == \"name 3\"' @",
          "select -k number,name @ then count -k name"}) {
      const auto answer = [&](const string &input) {
        string words = command;
        words.replace(words.find('@'), 1, input);
        run_shell(fmt::format("cd {} && $MRC {} >out 2>err", folder.path("."), words));
        return folder.read("out");
      };
      const string expected = answer("rows.json");
      for (const char *memory : {"", "--memory 4K"}) {
        const string options =
            fmt::format("-j{} --split {} {} ", pick(random, 1, 5), pick(random, 1, 5000), memory);
        EXPECT_EQ(answer(options + input), expected) << command << options << folder.read("err");
      }
    }
  }
}

}  // namespace
}  // namespace mrc
