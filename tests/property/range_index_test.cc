// A range index changes no answer, no message and no status: random files, conditions and jobs,
// with the index and without it, also after the file has been edited or truncated.
#include "kept/range_index.h"

#include "support/compress.h"
#include "support/process.h"
#include "support/random.h"
#include "support/seed.h"
#include "support/temporary_folder.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <ctime>

namespace mrc {
namespace {

using std::string;
using std::vector;

#ifdef MRC_SANITIZED
constexpr i64 kRounds = 8;
#else
constexpr i64 kRounds = 24;
#endif
constexpr i64 kQuestions = 6;
constexpr i64 kBegin = 1700000000, kSecondsApart = 7;

enum class Format { csv, access, json, logfmt };

class RangeIndexes : public testing::Test {
 protected:
  RangeIndexes() : random_(first_seed()) {}

  // Chooses how a file looks, and writes it.
  void write_file() {
    format_ = one_of(random_, vector{Format::csv, Format::access, Format::json, Format::logfmt});
    records_ = one_of(random_, vector<i64>{40, 2000, 5000});
    noise_ = one_in(random_, 3) ? 50 : 0;
    malformed_ = one_of(random_, vector<i64>{0, 0, 1000, 100});
    quotes_ = one_in(random_, 2) ? 100 : 0;
    for (const string &name : inputs_) write_input(name);
  }
  void write_input(const string &name) {
    const bool is_crlf = one_in(random_, 3);
    string text = format_ == Format::csv
                      ? (one_in(random_, 8) ? "\xEF\xBB\xBF" : "") + string("id,num,text,time\n")
                      : "";
    for (i64 i = 0; i < records_; ++i) text += record(i) + (is_crlf ? "\r\n" : "\n");
    if (one_in(random_, 4)) text.pop_back();
    std::filesystem::remove(folder_.path("." + name + ".mrcx"));
    folder_.write(name, packed(text));
  }
  // The text, or in blocks that are compressed.
  string packed(const string &text) {
    const auto block = static_cast<size_t>(pick(random_, 1000, 65280));
    if (one_in(random_, 4)) return bgzipped(text, block);
    if (!one_in(random_, 4)) return text;
    string frames;
    for (size_t at = 0; at < text.size(); at += block) {
      frames += zstandard(Bytes(text).substr(at, block));
    }
    return frames;
  }

  bool hits(i64 n) { return n > 0 && one_in(random_, n); }

  string id(i64 i) {
    if (one_in(random_, 100)) return one_of(random_, vector<string>{"", "-"});
    if (hits(noise_))
      return one_of(random_, vector<string>{"abc", "12x", "1e9", "99999999999999999999"});
    return std::to_string(i);
  }
  string number() {
    return fmt::format("{:.{}f}", static_cast<double>(pick(random_, -100000, 100000)) / 100,
                       pick(random_, 0, 3));
  }
  string text(i64 i) {
    switch (pick(random_, 0, 4)) {
      case 0: return "GET";
      case 1: return string(static_cast<size_t>(pick(random_, 1, 60)), 'a');
      case 2: return "\xC3\xA9t\xC3\xA9";
      default: return fmt::format("n{:05}", i);
    }
  }
  string time_of(i64 i, const char *form) {
    const time_t at = kBegin + i * kSecondsApart + pick(random_, 0, 30);
    return fmt::format(fmt::runtime(string("{:") + form + "}"), fmt::gmtime(at));
  }
  string time(i64 i) {
    if (hits(noise_)) return one_of(random_, vector<string>{"never", "-"});
    return time_of(i, one_in(random_, 3) ? "%Y-%m-%dT%H:%M:%S" : "%Y-%m-%dT%H:%M:%SZ");
  }

  string record(i64 i) {
    const bool is_bad = hits(malformed_);
    switch (format_) {
      case Format::csv: {
        string word = text(i);
        if (hits(quotes_))
          word = '"' + word + one_of(random_, vector<string>{"\"\"", ",", "\n"}) + '"';
        const string end = is_bad ? one_of(random_, vector<string>{",x,y", ",\"open"}) : "";
        return fmt::format("{},{},{},{}{}", id(i), number(), word, time(i), end);
      }
      case Format::access:
        if (is_bad) return one_of(random_, vector<string>{"garbage", "\\x16\\x03", ""});
        return fmt::format("10.0.0.{} - - [{}] \"GET /p{} HTTP/1.1\" 200 {} \"-\" \"a\"", i % 250,
                           time_of(i, "%d/%b/%Y:%H:%M:%S +0000"), i % 50, id(i));
      case Format::json: {
        if (is_bad) return one_of(random_, vector<string>{"{\"id\":", "nope"});
        const string rare = one_in(random_, 200) ? ",\"rare\":1" : "";
        const string value = id(i);
        const bool is_number = value == std::to_string(i);
        return fmt::format("{{\"id\":{0}{1}{0},\"num\":{2},\"text\":\"{3}\",\"time\":\"{4}\"{5}}}",
                           is_number ? "" : "\"", value, number(), text(i), time(i), rare);
      }
      case Format::logfmt:
        if (is_bad) return one_of(random_, vector<string>{"no pairs", ""});
        return fmt::format("time={} id={} num={} text={}", time(i), id(i), number(), text(i));
    }
    return "";
  }

  string field() {
    if (format_ == Format::access) return one_of(random_, vector<string>{"bytes", "path", "time"});
    return one_of(random_, vector<string>{"id", "num", "text", "time"});
  }
  string place() { return std::to_string(pick(random_, -10, records_ + 10)); }
  string instant(const char *form) {
    const time_t at = kBegin + pick(random_, -1000, records_ * kSecondsApart + 1000);
    return fmt::format(fmt::runtime(string("{:") + form + "}"), fmt::gmtime(at));
  }

  string comparison() {
    const bool is_access = format_ == Format::access;
    const string number = is_access ? "bytes" : "id", word = is_access ? "path" : "text";
    const string sign = one_of(random_, vector<string>{"<", "<=", ">", ">=", "==", "!="});
    switch (pick(random_, 0, 9)) {
      case 0: return fmt::format("{} between {} and {}", number, place(), place());
      case 1: return fmt::format("{} in ({}, {})", number, place(), place());
      case 2: return fmt::format("{} {} 'n{:05}'", word, sign, pick(random_, 0, records_));
      case 3: return fmt::format("{} {} '{}'", word, sign, string(30, 'a'));
      case 4: return fmt::format("{} =~ '7$'", word);
      case 5: return fmt::format("time {} {}", sign, instant("%Y-%m-%dT%H:%M:%SZ"));
      case 6: return fmt::format("time {} {}", sign, instant("%Y-%m-%dT%H:%M"));
      case 7: return fmt::format("has({})", field());
      default: return fmt::format("{} {} {}", number, sign, place());
    }
  }
  string condition(i64 depth = 0) {
    const i64 form = depth > 2 ? 0 : pick(random_, 0, 9);
    if (form < 6) return comparison();
    if (form == 9) return fmt::format("not ({})", condition(depth + 1));
    return fmt::format("({}) {} ({})", condition(depth + 1), form == 8 ? "or" : "and",
                       condition(depth + 1));
  }

  string job() {
    const string of = field();
    const vector<string> jobs = {"stats -a count,min:" + of,
                                 "count -k " + of,
                                 "select",
                                 "select --top 5",
                                 "select --tail 3",
                                 "select --to json -k " + of,
                                 "sort -k " + of,
                                 "distinct -k " + of,
                                 "distinct -c -k " + of,
                                 "stats -a count -k rare",
                                 "select -w 'num > 0'"};
    return one_of(random_, jobs) + " -j2 -w \"" + condition() + "\"";
  }
  string options() {
    string text = one_in(random_, 3) ? " --tz +02:00" : "";
    if (one_in(random_, 8)) text += " --isolate";
    if (one_in(random_, 5)) text += " --since " + instant("%Y-%m-%dT%H:%M:%S");
    if (one_in(random_, 8)) text += " --until " + instant("%Y-%m-%dT%H:%M:%S");
    return text;
  }

  void make_index() {
    string fields = field();
    for (const char *more : {"time", "id"}) {
      const bool fits = format_ != Format::access || string(more) == "time";
      if (fits && fields != more && !one_in(random_, 3)) fields += string(",") + more;
    }
    const string split = one_of(random_, vector<string>{"16K", "32K", "1M"});
    run_shell(fmt::format("cd {} && $MRC index -q --range {} --split {} -j2 {} {} 2>messages",
                          folder_.path(""), fields, split, one_in(random_, 4) ? "--tz +02:00" : "",
                          fmt::join(inputs_, " ")));
  }

  string answer(const string &command) {
    const int status = run_shell(fmt::format("cd {} && $MRC {} {} >out 2>messages",
                                             folder_.path(""), command, fmt::join(inputs_, " ")));
    return fmt::format("{}\n{}\n{}", status, folder_.read("messages"), folder_.read("out"));
  }
  void compare() {
    const string command = job() + options();
    const string with = answer(command);
    pruned_ += answer(command + " --explain").find("index    pages: ") != string::npos;
    EXPECT_EQ(with, answer(command + " --engine index=off")) << command;
  }

  Random random_;
  TemporaryFolder folder_;
  vector<string> inputs_ = {"log"};
  Format format_ = Format::csv;
  i64 records_ = 0, noise_ = 0, malformed_ = 0, quotes_ = 0;
  i64 pruned_ = 0;
};

// Rounds follow until enough questions have left out pages: few draws do so for some seeds.
TEST_F(RangeIndexes, ChangeNothing) {
  const i64 least = kRounds * rounds(), most = 8 * least;
  for (i64 round = 0; round < most && !HasFailure(); ++round) {
    if (round >= least && pruned_ > kRounds / 4) break;
    if (one_in(random_, 2)) inputs_ = {"log", "more"};
    write_file();
    make_index();
    for (i64 i = 0; i < kQuestions; ++i) compare();
  }
  EXPECT_GT(pruned_, kRounds / 4);
}

// Units that leave out pages, mapped in any order and merged, give the answer of one run.
class RangeIndexesOfUnits : public RangeIndexes {
 protected:
  string merged(const string &command) {
    const string list = fmt::format(
        "cd {} && rm -f *.mrs && $MRC units --list --size {} {} {} >job 2>list-messages",
        folder_.path(""), pick(random_, 8000, 90000), command, fmt::join(inputs_, " "));
    if (run_shell(list) != 0) return "not listed";
    has_parts_ += folder_.read("job").find("\npart ") != string::npos;
    const string map =
        "for unit in $(sed -n 's/^unit \\([0-9]*\\):.*/\\1/p' job | sort -R); do "
        "$MRC units -j2 --job job --unit $unit -o $unit.mrs || exit; done";
    EXPECT_EQ(run_shell(fmt::format("cd {} && ({}) 2>map-messages", folder_.path(""), map)), 0)
        << command << folder_.read("map-messages");
    const int status =
        run_shell(fmt::format("cd {} && $MRC merge *.mrs >out 2>messages", folder_.path("")));
    return fmt::format("{}\n{}\n{}", status, folder_.read("messages"), folder_.read("out"));
  }
  string job_with_states() {
    const string of = field();
    const vector<string> jobs = {
        "stats -a count,min:" + of, "count -k " + of,         "sort -k " + of,
        "distinct -k " + of,        "sort --top 5 -k " + of,  "stats -a first:" + of,
        "distinct -c -k " + of,     "stats -k rare -a count", "stats -k " + of + " --head 3"};
    return one_of(random_, jobs) + " -w \"" + condition() + "\"";
  }

  i64 has_parts_ = 0;
};

TEST_F(RangeIndexesOfUnits, ChangeNothing) {
  const i64 least = kRounds / 4 * rounds(), most = 8 * least;
  for (i64 round = 0; round < most && !HasFailure(); ++round) {
    if (round >= least && has_parts_ > 0) break;
    if (one_in(random_, 2)) inputs_ = {"log", "more"};
    write_file();
    make_index();
    for (i64 i = 0; i < kQuestions / 2; ++i) {
      const string command = job_with_states() + (one_in(random_, 3) ? " --tz +02:00" : "");
      const string with = merged(command);
      EXPECT_EQ(with, merged(command + " --engine index=off")) << command;
    }
  }
  EXPECT_GT(has_parts_, 0);
}

// The note about the index is the only difference.
TEST_F(RangeIndexes, OfChangedFilesAreNotUsed) {
  for (i64 round = 0; round < kRounds / 2 * rounds() && !HasFailure(); ++round) {
    write_file();
    make_index();
    string text = folder_.read("log");
    if (one_in(random_, 2)) {
      text[static_cast<size_t>(pick(random_, 0, std::ssize(text) - 1))] ^= 1;
    } else {
      text.resize(static_cast<size_t>(pick(random_, 1, std::ssize(text))));
    }
    folder_.write("log", text);
    const string command = job() + options() + " -q";
    EXPECT_EQ(answer(command), answer(command + " --engine index=off")) << command;
  }
}

// An index of 9,000 records.
class DamagedRangeIndexes : public RangeIndexes {
 protected:
  DamagedRangeIndexes() {
    string text = "id,word\n";
    for (i64 i = 0; i < 9000; ++i) text += fmt::format("{},word{}\n", i, i % 10);
    folder_.write("log", text);
    run_shell(fmt::format("cd {} && $MRC index --range id --split 16K log", folder_.path("")));
    index_ = folder_.read(".log.mrcx");
  }

  const string command_ = "stats -q -a count -w 'id > 8990'";
  string index_;
};

TEST_F(DamagedRangeIndexes, AreRefused) {
  const string whole = answer(command_ + " --engine index=off");
  EXPECT_EQ(answer(command_), whole);
  for (i64 i = 0; i < 60; ++i) {
    string damaged = index_;
    const i64 at = pick(random_, 0, std::ssize(index_) - 1);
    damaged[static_cast<size_t>(at)] ^= static_cast<char>(1 << pick(random_, 0, 7));
    if (one_in(random_, 4)) damaged.resize(static_cast<size_t>(at));
    folder_.write(".log.mrcx", damaged);
    EXPECT_EQ(answer(command_), whole);
  }
}

// As if the page had changed, and the times of the file had not.
TEST_F(DamagedRangeIndexes, ShowChangesOfPagesThatAreRead) {
  Result<RangeIndex> index = RangeIndex::from_bytes(index_);
  ASSERT_TRUE(index.is_ok());
  ASSERT_GT(index->pages.size(), 3U);
  const auto answer_with = [&] {
    folder_.write(".log.mrcx", index->to_bytes());
    return answer(command_);
  };
  index->pages[2].content ^= 1;  // it is left out
  EXPECT_EQ(answer_with(), answer(command_ + " --engine index=off"));
  index->pages.back().content ^= 1;
  EXPECT_EQ(answer_with(),
            fmt::format("{}\nmrc: error: log: has changed since it was indexed, but not its time; "
                        "index it again\n\n",
                        2 << 8));
}

}  // namespace
}  // namespace mrc
