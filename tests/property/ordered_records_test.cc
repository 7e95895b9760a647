// --order, and functions that need it, against a naive reference: with any threads, splits and
// memory, from several files, compressed, and from a stream.
#include "support/process.h"
#include "support/random.h"
#include "support/seed.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <span>

namespace mrc {
namespace {

using std::string;
using std::vector;

#ifdef MRC_SANITIZED
constexpr int kRounds = 25;
#else
constexpr int kRounds = 100;
#endif

struct Record {
  string group, value;  // a whole number, or nothing
  i64 time, place;
};

using Group = vector<Record>;

// The function for the record at `own`, of those in order.
string later(const Group &group, size_t own, size_t distance) {
  return own + distance < group.size() ? group[own + distance].value : "";
}
string extreme(const Group &group, size_t own, size_t records, bool highest) {
  string best;
  for (size_t i = own + 1 - std::min(own + 1, records); i <= own; ++i) {
    const string &value = group[i].value;
    if (value.empty()) continue;
    const bool is_more = !best.empty() && std::stoll(value) > std::stoll(best);
    if (best.empty() || (value != best && is_more == highest)) best = value;
  }
  return best;
}
string sum(const Group &group, size_t own) {
  i64 sum = 0;
  bool has_value = false;
  for (size_t i = 0; i <= own; ++i) {
    if (group[i].value.empty()) continue;
    sum += std::stoll(group[i].value);
    has_value = true;
  }
  return has_value ? std::to_string(sum) : "";
}

class OrderedRecords : public testing::Test {
 protected:
  Group draw(i64 records) {
    const char *values[] = {"0", "7", "-3", "15", "", "12", "7"};
    const i64 last_group = one_in(random_, 2) ? 3 : 25;
    Group all;
    for (i64 i = 0; i < records; ++i) {
      const string name(1, static_cast<char>('a' + pick(random_, 0, last_group)));
      all.push_back({name, values[pick(random_, 0, 6)], pick(random_, 100, 140), i});
    }
    return all;
  }
  void write_file(const string &name, std::span<const Record> records) {
    string text = "g,v,t,i\n";
    for (const Record &record : records) {
      text += record.group + "," + record.value + "," + std::to_string(record.time) + "," +
              std::to_string(record.place) + "\n";
    }
    folder_.write(name, text);
  }
  // Writes the records to one file or more, some compressed. Returns the names of the files.
  string write(const Group &records) {
    const size_t files = static_cast<size_t>(one_in(random_, 2) ? 1 : pick(random_, 2, 4));
    string names;
    for (size_t file = 0; file < files; ++file) {
      const size_t begin = records.size() * file / files;
      const size_t end = records.size() * (file + 1) / files;
      const string name = "part" + std::to_string(file);
      write_file(name, std::span(records).subspan(begin, end - begin));
      const bool packs = one_in(random_, 4);
      if (packs) run_shell("gzip -kf " + folder_.path(name));
      names += " " + name + (packs ? ".gz" : "");
    }
    return names;
  }
  string settings() {
    string settings = " -f csv -j" + std::to_string(pick(random_, 1, 8));
    if (one_in(random_, 2)) settings += " --split " + std::to_string(pick(random_, 1, 3000));
    if (one_in(random_, 3)) settings += " --memory 64K";
    return settings;
  }
  string answer(const string &command) {
    const string script = "cd " + folder_.path(".") + " && " + command;
    EXPECT_EQ(WEXITSTATUS(run_shell(script + " > out 2> err")), 0) << script << folder_.read("err");
    return folder_.read("out");
  }

  Random random_{first_seed()};
  TemporaryFolder folder_;
};

TEST_F(OrderedRecords, AgainstANaiveReference) {
  for (int round = 0; round < kRounds; ++round) {
    SCOPED_TRACE(testing::Message() << "round " << round);
    const Group records = draw(one_in(random_, 9) ? 2000 : pick(random_, 1, 200));
    const bool within = one_in(random_, 2), selects = one_in(random_, 3), down = one_in(random_, 3);
    const size_t distance = static_cast<size_t>(pick(random_, 1, 5));
    vector<Group> groups;
    for (const Record &record : records) {
      if (selects && record.group == "b") continue;
      const auto same = std::ranges::find_if(
          groups, [&](const Group &group) { return !within || group[0].group == record.group; });
      (same == groups.end() ? groups.emplace_back() : *same).push_back(record);
    }
    string want;
    for (size_t g = 0; g < groups.size(); ++g) {
      Group &group = groups[g];
      std::ranges::stable_sort(group, [&](const Record &a, const Record &b) {
        return down ? a.time > b.time : a.time < b.time;
      });
      for (size_t i = 0; i < group.size(); ++i) {
        want += std::to_string(group[i].place) + "," + std::to_string(g + 1) + "," +
                std::to_string(i + 1) + "," + later(group, i, distance) + "," +
                extreme(group, i, distance, false) + "," + extreme(group, i, distance, true) + "," +
                sum(group, i) + "\n";
      }
    }
    const string n = std::to_string(distance);
    string command = "select --header-out no --to csv -k 'i,group(),row(),lead(v," + n +
                     "),lowest(v:num," + n + "),highest(v:num," + n + "),cumsum(v:num)'" +
                     " --order t:num" + (down ? ":desc" : "") + settings();
    if (within) command += " --within g";
    if (selects) command += " -w 'g != \"b\"'";
    const string files = write(records);
    const bool is_stream = files == " part0";
    EXPECT_EQ(
        answer((is_stream ? "cat part0 | $MRC " : "$MRC ") + command + (is_stream ? "" : files)),
        want)
        << command << files;
  }
}

TEST_F(OrderedRecords, MayBeInOrderAlready) {
  for (int round = 0; round < kRounds / 2; ++round) {
    SCOPED_TRACE(testing::Message() << "round " << round);
    Group records = draw(pick(random_, 1, 900));
    std::ranges::stable_sort(records, {}, &Record::group);
    const size_t distance = static_cast<size_t>(pick(random_, 1, 5));
    string want;
    for (size_t i = 0; i < records.size(); ++i) {
      const bool is_same =
          i + distance < records.size() && records[i + distance].group == records[i].group;
      want += std::to_string(records[i].place) + "," +
              (is_same ? later(records, i, distance) : "") + "\n";
    }
    write_file("all", records);
    const string command =
        "$MRC select --header-out no --to csv --within g --order - -k 'i,lead(v," +
        std::to_string(distance) + ")'" + settings() + " all";
    EXPECT_EQ(answer(command), want) << command;
  }
}

// Functions of all records see those after the own one, too, in any order of the input.
TEST_F(OrderedRecords, AreAllSeen) {
  for (int round = 0; round < kRounds; ++round) {
    SCOPED_TRACE(testing::Message() << "round " << round);
    const Group records = draw(one_in(random_, 9) ? 2000 : pick(random_, 1, 200));
    const bool within = one_in(random_, 2), selects = one_in(random_, 3), dear = one_in(random_, 3);
    const auto is_seen = [&](const Record &record) { return !selects || record.group != "b"; };
    string want;
    for (const Record &record : records) {
      if (!is_seen(record)) continue;
      Group group;
      for (const Record &other : records) {
        if (is_seen(other) && (!within || other.group == record.group)) group.push_back(other);
      }
      const size_t end = group.size() - 1;
      const string highest = extreme(group, end, end + 1, true);
      if (dear && (record.value.empty() || record.value != highest)) continue;
      const i64 count = std::ranges::count_if(group, [](auto &r) { return !r.value.empty(); });
      want += std::to_string(record.place) + "," + group[end].value + "," + sum(group, end) + "," +
              std::to_string(count) + "," + extreme(group, end, end + 1, false) + "," + highest +
              "\n";
    }
    string command =
        "select --header-out no --to csv -k 'i,last(v),sum(v:num,all),count(v,all),"
        "lowest(v:num,all),highest(v:num,all)'" +
        settings() + write(records);
    if (within) command += " --within g";
    if (selects) command += " -w 'g != \"b\"'";
    if (dear) command += " -w 'v == highest(v:num,all)'";
    EXPECT_EQ(answer("$MRC " + command), want) << command;
  }
}

// A frame of a few long values takes no more memory, however many records there are.
TEST_F(OrderedRecords, KeepNoMoreThanTheirFrames) {
  const string make = "seq 1 600000 | sed 's/^/1000000000000000/'";
  const string command = make + " | $MRC select -f fields --memory 64K -k 'lowest($1:num,3)'";
  EXPECT_EQ(answer(command + " | tail -n 1"), "1000000000000000599998\n");
}

// Records that are read ahead count as memory.
TEST_F(OrderedRecords, AheadAreWithinTheMemory) {
  const string make = "seq 1 12000 | sed 's/$/ '$(printf %04000d 0)/ > ahead; ";
  const string script = "cd " + folder_.path(".") + " && " + make +
                        "$MRC select -f fields --memory 64K --order - -k 'lead($1,10000)' ahead";
  EXPECT_EQ(WEXITSTATUS(run_shell(script + " > out 2> err")), 2);
  EXPECT_NE(folder_.read("err").find("10000 records that lead() reads ahead"), string::npos);
}

}  // namespace
}  // namespace mrc
