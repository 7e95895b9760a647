// Functions of earlier records against a naive reference: with any threads, splits and memory, from
// several files, compressed, and from a stream.
#include "support/process.h"
#include "support/random.h"
#include "support/seed.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>

namespace mrc {
namespace {

using std::string;
using std::vector;

#ifdef MRC_SANITIZED
constexpr int kRounds = 25;
#else
constexpr int kRounds = 120;
#endif

struct Record {
  string group, value;
  i64 seconds;
};

// A number of quarters; nothing: the text is no number.
std::optional<i64> quarters(const string &text) {
  static const std::map<string, i64> kValues = {{"0", 0},   {"7", 28},   {"-3", -12},
                                                {"1.5", 6}, {"0.25", 1}, {"12", 48}};
  const auto found = kValues.find(text);
  return found == kValues.end() ? std::nullopt : std::optional(found->second);
}

string decimal(std::optional<i64> of) {
  if (!of) return "";
  static const string kEnds[] = {"", ".25", ".5", ".75"};
  const i64 size = std::abs(*of);
  return (*of < 0 ? "-" : "") + std::to_string(size / 4) + kEnds[size % 4];
}

// The functions, one after another, with all records of a group up to the own one at hand.
class Naive {
 public:
  Naive(const vector<Record> &records, i64 distance) : records_(records), distance_(distance) {}

  string line() const {
    const Record &own = records_.back();
    return own.group + "," + std::to_string(own.seconds) + "," + std::to_string(rows()) + "," +
           lag() + "," + decimal(sum_since(0)) + "," + fill() + "," + delta() + "," +
           decimal(sum_since(std::max<i64>(0, rows() - distance_))) + "," +
           decimal(sum_since(first_within(30))) + "," + std::to_string(session()) + "," +
           std::to_string(stretch(false)) + "," + std::to_string(stretch(true)) + "," +
           decimal(extreme(-1)) + "," + decimal(extreme(1)) + "," + records_.front().value + "\n";
  }
  i64 rows() const { return std::ssize(records_); }
  i64 session() const {
    i64 session = 1;
    for (i64 i = 1; i < rows(); ++i) session += at(i).seconds - at(i - 1).seconds > 10;
    return session;
  }

 private:
  const Record &at(i64 i) const { return records_[static_cast<size_t>(i)]; }
  string lag() const { return rows() > distance_ ? at(rows() - 1 - distance_).value : ""; }
  std::optional<i64> sum_since(i64 first) const {
    std::optional<i64> sum;
    for (i64 i = first; i < rows(); ++i) {
      if (const auto number = quarters(at(i).value)) sum = sum.value_or(0) + *number;
    }
    return sum;
  }
  string fill() const {
    for (i64 i = rows() - 1; i >= 0; --i) {
      if (!at(i).value.empty()) return at(i).value;
    }
    return "";
  }
  string delta() const {
    if (rows() < 2) return "";
    const auto own = quarters(at(rows() - 1).value), before = quarters(at(rows() - 2).value);
    return own && before ? decimal(*own - *before) : "";
  }
  i64 first_within(i64 seconds) const {
    i64 first = rows();
    while (first > 0 && at(first - 1).seconds > at(rows() - 1).seconds - seconds) --first;
    return first;
  }
  i64 stretch(bool dense) const {
    i64 number = 1;
    for (i64 i = 1; i < rows(); ++i) {
      if (at(i).seconds != at(i - 1).seconds) number = dense ? number + 1 : i + 1;
    }
    return number;
  }
  std::optional<i64> extreme(int sign) const {
    std::optional<i64> best;
    for (const Record &record : records_) {
      const auto number = quarters(record.value);
      if (number && (!best || sign * *number > sign * *best)) best = number;
    }
    return best;
  }

  const vector<Record> &records_;
  const i64 distance_;
};

class Running : public testing::Test {
 protected:
  // Draws records in the order of time.
  vector<Record> draw(i64 records) {
    const char *values[] = {"0", "7", "-3", "1.5", "0.25", "12", "", "7"};
    i64 seconds = 1500000000;
    vector<Record> all;
    for (; records > 0; --records) {
      const i64 steps[] = {0, 1, 9, 11, 40};
      seconds += steps[pick(random_, 0, 4)];
      const string group(1, static_cast<char>('a' + pick(random_, 0, 3)));
      all.push_back({group, values[pick(random_, 0, 7)], seconds});
    }
    return all;
  }
  // Writes the records to some files, whose names it returns in their order.
  string write(const vector<Record> &records) {
    string names, text;
    const i64 files = pick(random_, 1, 3);
    size_t next = 0;
    for (i64 file = 0; file < files; ++file) {
      text = "g,v,t\n";
      const size_t end = file + 1 == files ? records.size() : next + (records.size() - next) / 2;
      for (; next < end; ++next) {
        const Record &record = records[next];
        text += record.group + "," + record.value + "," + std::to_string(record.seconds) + "\n";
      }
      const string name = "in" + std::to_string(file);
      folder_.write(name, text);
      const bool packs = one_in(random_, 4);
      if (packs) run_shell("gzip -kf " + folder_.path(name));
      names += " " + name + (packs ? ".gz" : "");
    }
    return names;
  }
  void expect(const string &command, const string &want) {
    string settings = " -f csv -H -j" + std::to_string(pick(random_, 1, 8));
    if (one_in(random_, 2)) settings += " --split " + std::to_string(pick(random_, 1, 3000));
    if (one_in(random_, 3)) settings += " --memory 64K";
    const string script = "cd " + folder_.path(".") + " && " + command + settings;
    EXPECT_EQ(WEXITSTATUS(run_shell(script + " > out 2> err")), 0) << script << folder_.read("err");
    EXPECT_EQ(folder_.read("out"), want) << script;
  }

  Random random_{first_seed()};
  TemporaryFolder folder_;
};

TEST_F(Running, AgainstANaiveReference) {
  for (int round = 0; round < kRounds; ++round) {
    SCOPED_TRACE(testing::Message() << "round " << round);
    const vector<Record> records = draw(one_in(random_, 9) ? 3000 : pick(random_, 1, 200));
    const i64 distance = pick(random_, 1, 5);
    const bool within = one_in(random_, 2), selects = one_in(random_, 3),
               later = one_in(random_, 3);
    std::map<string, vector<Record>> groups;
    std::map<std::pair<string, i64>, i64> sessions;
    string want = "g,t,row,lag,sum,fill,delta,last,near,session,rank,dense,least,most,first\n";
    for (const Record &record : records) {
      if (selects && record.group == "b") continue;
      vector<Record> &group = groups[within ? record.group : ""];
      group.push_back(record);
      const Naive naive(group, distance);
      if (later && naive.rows() % 3 == 0) continue;
      if (records.size() <= 200) want += naive.line();
      ++sessions[{record.group, naive.session()}];
    }
    const string n = std::to_string(distance);
    string options = within ? " --within g" : "";
    if (selects) options += " -w 'g != \"b\"'";
    if (later) options += " -w 'row() % 3 != 0'";
    const string files = write(records);
    const string list = "row=row(),lag=lag(v," + n + "),sum=cumsum(v:num),fill=filldown(v)," +
                        "delta=delta(v:num),last=sum(v:num," + n + "),near=sum(v:num,30s,t:time)," +
                        "session=session(t:time,10s),rank=rank(t),dense=dense_rank(t)," +
                        "least=cummin(v:num),most=cummax(v:num),first=first(v)";
    if (records.size() <= 200) {
      expect("$MRC select --to csv -k 'g,t," + list + "'" + options + files, want);
    }
    string counts = "g,s,count\n";
    for (const auto &[key, count] : sessions) {
      counts += key.first + "," + std::to_string(key.second) + "," + std::to_string(count) + "\n";
    }
    const bool is_stream = files.find(".gz") == string::npos && files.find("in1") == string::npos;
    const string job = "stats -a count --to csv -k 'g,s=session(t:time,10s)'" + options;
    expect((is_stream ? "cat in0 | $MRC " : "$MRC ") + job + (is_stream ? "" : files), counts);
  }
}

}  // namespace
}  // namespace mrc
