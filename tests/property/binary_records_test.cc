// Binary records against the same records as CSV: random layouts and values, with the last record
// whole or not. The same answers with any threads and splits, from files, pipes and compressed
// files. Whole records are compared with the bytes that were written.
#include "support/process.h"
#include "support/random.h"
#include "support/seed.h"
#include "support/temporary_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <cstring>

namespace mrc {
namespace {

using std::string;
using std::vector;

#ifdef MRC_SANITIZED
constexpr int kRounds = 6;
#else
constexpr int kRounds = 30;
#endif

struct Field {
  string type;
  i64 bytes;
  bool is_big = false;
};

vector<Field> fields_of(Random &random) {
  static const vector<Field> kTypes = {{"i8", 1},  {"u8", 1},  {"i16", 2}, {"u16", 2},
                                       {"i32", 4}, {"u32", 4}, {"i64", 8}, {"u64", 8},
                                       {"f32", 4}, {"f64", 8}, {"s", 0},   {"x", 0}};
  vector<Field> fields = {{"u8", 1}};  // a key of few values
  for (i64 i = pick(random, 1, 6); i > 0; --i) {
    Field field = one_of(random, kTypes);
    if (field.bytes == 0) {
      field.bytes = pick(random, 1, 12);
      field.type += std::to_string(field.bytes);
    } else if (one_in(random, 2)) {
      field.is_big = true;
      field.type += "be";
    }
    fields.push_back(field);
  }
  return fields;
}

// Values that look like ends of lines, marks and quotes are as frequent as others.
string bytes_of(Random &random, i64 size) {
  static const string kOdd("\n\r\0 \xff\xfe\t\",A7", 11);
  string bytes;
  for (i64 i = 0; i < size; ++i) {
    bytes += one_in(random, 2) ? kOdd[static_cast<size_t>(pick(random, 0, 10))]
                               : static_cast<char>(pick(random, 0, 255));
  }
  return bytes;
}

template <typename Number>
string number_text(const string &bytes) {
  Number number;
  std::memcpy(&number, bytes.data(), sizeof number);
  char text[40];
  return {text, std::to_chars(text, text + sizeof text, number).ptr};
}

string text_of(const Field &field, string bytes) {
  if (field.is_big) std::ranges::reverse(bytes);
  const string type = field.type.substr(0, field.type.find("be"));
  if (type == "i8") return number_text<int8_t>(bytes);
  if (type == "u8") return number_text<unsigned char>(bytes);
  if (type == "i16") return number_text<int16_t>(bytes);
  if (type == "u16") return number_text<uint16_t>(bytes);
  if (type == "i32") return number_text<int32_t>(bytes);
  if (type == "u32") return number_text<uint32_t>(bytes);
  if (type == "i64") return number_text<int64_t>(bytes);
  if (type == "u64") return number_text<uint64_t>(bytes);
  if (type == "f32") return number_text<float>(bytes);
  if (type == "f64") return number_text<double>(bytes);
  const size_t last = bytes.find_last_not_of(string(" \0", 2));
  return bytes.substr(0, last == string::npos ? 0 : last + 1);
}

string in_quotes(const string &text) {
  string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

// Records of one layout, as bytes and as CSV.
struct Records {
  string layout, bytes, csv;
  i64 size = 0;
  vector<string> names;
};

Records records_of(Random &random) {
  Records records;
  const vector<Field> fields = fields_of(random);
  string header;
  for (size_t i = 0; i < fields.size(); ++i) {
    const bool is_skipped = fields[i].type[0] == 'x';
    const string name = is_skipped ? "" : fmt::format("f{}", i);
    records.layout += fmt::format("{}{} {}", i == 0 ? "" : ", ", fields[i].type, name);
    records.size += fields[i].bytes;
    if (is_skipped) continue;
    records.names.push_back(name);
    header += (header.empty() ? "" : ",") + name;
  }
  records.csv = header + "\n";
  for (i64 i = pick(random, 0, 600); i > 0; --i) {
    string line;
    for (size_t k = 0; k < fields.size(); ++k) {
      const string bytes = k == 0 ? string(1, static_cast<char>(pick(random, 5, 14)))
                                  : bytes_of(random, fields[k].bytes);
      records.bytes += bytes;
      if (fields[k].type[0] == 'x') continue;
      line += (line.empty() ? "" : ",") + in_quotes(text_of(fields[k], bytes));
    }
    records.csv += line + "\n";
  }
  return records;
}

class BinaryRecords : public testing::Test {
 protected:
  string answer(const string &command) {
    const string line = fmt::format("cd {} && $MRC {} >out 2>err", folder_.path("."), command);
    last_ = line;
    run_shell(line);
    return folder_.read("out");
  }

  string how() {
    return fmt::format(" -j{} --split {} --io {}", pick(random_, 1, 4), pick(random_, 1, 3000),
                       one_in(random_, 2) ? "mmap" : "read");
  }

  Random random_{first_seed()};
  const TemporaryFolder folder_;
  string last_;
};

TEST_F(BinaryRecords, HaveTheAnswersOfCsv) {
  for (i64 round = 0; round < kRounds * rounds(); ++round) {
    const Records records = records_of(random_);
    folder_.write("a", records.bytes);
    folder_.write("a.csv", records.csv);
    run_shell(fmt::format("cd {} && gzip -kf a", folder_.path(".")));
    const string &name = one_of(random_, records.names), &other = one_of(random_, records.names);
    const vector<string> commands = {
        fmt::format("count -k {}", name),
        fmt::format("stats -k f0 -a 'count,sum:{},distinct:{}'", name, other),
        fmt::format("select -k {},{} -w 'f0 > 8'", name, other),
        fmt::format("distinct -c -k f0,{}", name),
    };
    for (const string &command : commands) {
      const string expected = answer(command + " -f csv --header-in yes a.csv");
      for (const char *input : {"a", "<a", "a.gz", "- <a.gz"}) {
        const string got =
            answer(fmt::format("{} --binary '{}'{} {}", command, records.layout, how(), input));
        EXPECT_EQ(got, expected) << last_ << " in round " << round;
        if (testing::Test::HasFailure()) return;
      }
    }
  }
}

TEST_F(BinaryRecords, ArePrintedAsTheyWere) {
  for (i64 round = 0; round < kRounds * rounds(); ++round) {
    const Records records = records_of(random_);
    const auto size = static_cast<size_t>(records.size);
    vector<string> selected;
    for (size_t at = 0; at < records.bytes.size(); at += size) {
      if (records.bytes[at] > 8) selected.push_back(records.bytes.substr(at, size));
    }
    string in_order, sorted;
    for (const string &record : selected) in_order += record;
    std::ranges::stable_sort(selected, {}, [](const string &record) { return record[0]; });
    for (const string &record : selected) sorted += record;
    folder_.write("a", records.bytes + records.bytes.substr(0, static_cast<size_t>(pick(
                                                                   random_, 0, records.size - 1))));
    const string format = fmt::format("--binary '{}' -w 'f0 > 8'{}", records.layout, how());
    EXPECT_EQ(answer(fmt::format("select {} a", format)), in_order) << last_;
    EXPECT_EQ(answer(fmt::format("sort -s -k f0 {} a", format)), sorted) << last_;
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace mrc
