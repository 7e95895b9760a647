#include "store/record_format.h"

#include "map/key_image.h"
#include "support/run_bytes.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

using std::string;

// Some bytes for fixed parts, each different.
const std::byte *some_bytes() {
  static const string bytes = [] {
    string text;
    for (int i = 0; i < 256; ++i) text += static_cast<char>(i + 1);
    return text;
  }();
  return reinterpret_cast<const std::byte *>(bytes.data());
}

string fixed_of(const StoredRecord &record, i64 bytes) {
  return bytes == 0
             ? ""
             : string(reinterpret_cast<const char *>(record.fixed), static_cast<size_t>(bytes));
}

void expect_equal(const StoredRecord &read, const StoredRecord &written, RecordShape shape) {
  EXPECT_EQ(read.hash, written.hash);
  EXPECT_TRUE(read.key == written.key) << written.key.size();
  EXPECT_EQ(read.is_state, written.is_state);
  const i64 fixed = shape.fixed_bytes(read.is_state);
  EXPECT_EQ(fixed_of(read, fixed), fixed_of(written, fixed));
  EXPECT_TRUE(read.var == written.var) << written.var.size();
}

// Writes, checks and reads `records`, and returns their bytes.
string round_trip(const std::vector<StoredRecord> &records, RecordShape shape) {
  Payload payload(shape);
  for (const StoredRecord &record : records) payload.add(record);
  const Status status = check_records(payload.bytes(), shape, payload.info().records);
  EXPECT_TRUE(status.is_ok()) << status.message();
  const auto *at = reinterpret_cast<const std::byte *>(payload.bytes().data());
  for (const StoredRecord &record : records) {
    StoredRecord read;
    const std::byte *next = read_record(at, shape, &read);
    EXPECT_EQ(next, next_record(at));
    expect_equal(read, record, shape);
    at = next;
  }
  EXPECT_EQ(reinterpret_cast<const char *>(at), payload.bytes().data() + payload.bytes().size());
  return string(payload.bytes());
}

string fault(Bytes bytes, RecordShape shape, i64 records) {
  const Status status = check_records(bytes, shape, records);
  return status.is_ok() ? "none" : status.message();
}

TEST(RecordFormat, IsWhatTheManualSays) {
  const string bytes = round_trip({{.hash = 0x1122334455667788,
                                    .key = "the",
                                    .is_state = true,
                                    .fixed = some_bytes(),
                                    .var = "v"}},
                                  {0, 8});
  EXPECT_EQ(bytes, string("\x88\x77\x66\x55\x44\x33\x22\x11"
                          "\3\0\0\0\x09\0\x50\0"
                          "\1\2\3\4\5\6\7\x8"
                          "the\0"
                          "\1\0\0\0v\0\0\0",
                          36));
}

TEST(RecordFormat, KeepsKeysOfAnyLengthAndContent) {
  for (size_t size = 0; size < 300; ++size) {
    round_trip({{.hash = size, .key = string(size, '\0'), .fixed = some_bytes()},
                {.hash = size, .key = string(size, '\xff'), .fixed = some_bytes()}},
               {8, 0});
  }
  for (size_t size : {4095, 4096, 65535, 65536, 70000}) {
    round_trip({{.key = string(size, 'k')}, {.key = "next"}}, {0, 0});
  }
}

TEST(RecordFormat, KeepsRawAndStateAndVariablePartsSideBySide) {
  for (i64 raw : {0, 4, 8, 12}) {
    for (i64 state : {0, 8, 40, 256}) {
      std::vector<StoredRecord> records;
      for (const char *key : {"", "a", "two", "four", "a longer key than most"}) {
        for (const char *var : {"", "v", "vari", "a longer variable part"}) {
          records.push_back({7, key, false, some_bytes(), var});
          records.push_back({~u64{0}, key, true, some_bytes(), var});
        }
      }
      round_trip(records, {raw, state});
    }
  }
}

TEST(RecordFormat, SwitchesToTheLongFormWhereItMust) {
  const RecordShape shape{4, 0};
  const auto longest = static_cast<size_t>(kLongestShort - kRecordHead - 4);
  for (size_t size : {longest - 1, longest, longest + 1, longest + 5, size_t{9} << 20}) {
    const string key(size, 'k');
    const string bytes = round_trip(
        {{.key = key, .fixed = some_bytes()}, {.key = "b", .fixed = some_bytes()}}, shape);
    EXPECT_EQ((get<u32>(bytes, 12) & kWordsMask) == 0, size > longest) << size;
    round_trip({{.key = "k", .fixed = some_bytes(), .var = key}, {.fixed = some_bytes()}}, shape);
  }
}

TEST(RecordFormat, LeavesWhatLiesBeyondTheSlackAlone) {
  for (size_t key = 0; key < 40; ++key) {
    for (size_t var = 0; var < 40; ++var) {
      string buffer(400, 'x');
      auto *to = reinterpret_cast<std::byte *>(buffer.data());
      const string key_bytes(key, 'k'), var_bytes(var, 'v');
      const std::byte *end =
          write_record(to, {8, 0}, {1, key_bytes, false, some_bytes(), var_bytes});
      const auto behind = static_cast<size_t>(end - to + kRecordSlack);
      EXPECT_EQ(buffer.substr(behind), string(400 - behind, 'x'));
    }
  }
}

TEST(RecordFormat, OfAnImageIsThatOfItsBytes) {
  const string text = "0123456789abcdefghijklmnopqrstuvwxyz" + string(kPadding, '#');
  for (u64 size = 0; size <= Key32::kLongest; ++size) {
    for (const bool is_state : {false, true}) {
      const RecordShape shape{4, 16};
      string a(200, 'a'), b(200, 'b');
      auto *to_a = reinterpret_cast<std::byte *>(a.data());
      auto *to_b = reinterpret_cast<std::byte *>(b.data());
      const std::byte *end_a =
          write_record(to_a, shape, {9, Bytes(text).substr(0, size), is_state, some_bytes(), {}});
      const std::byte *end_b =
          size <= Key16::kLongest
              ? write_image_record(to_b, shape, 9, image16<Fold::none>(text.data(), size), is_state,
                                   some_bytes())
              : write_image_record(to_b, shape, 9, image32<Fold::none>(text.data(), size), is_state,
                                   some_bytes());
      const auto bytes = static_cast<size_t>(end_a - to_a);
      ASSERT_EQ(end_b - to_b, end_a - to_a);
      EXPECT_EQ(a.substr(0, bytes), b.substr(0, bytes)) << size;
      EXPECT_EQ(b.substr(bytes + kRecordSlack), string(200 - bytes - kRecordSlack, 'b'));
    }
  }
}

class CheckRecords : public testing::Test {
 protected:
  // Two records; the second one is looked at: it begins at byte 24.
  string bytes_ = round_trip({{.hash = 1, .key = "a", .fixed = some_bytes()},
                              {.hash = 2, .key = "bc", .fixed = some_bytes(), .var = "xyz"}},
                             kShape);
  static constexpr RecordShape kShape{4, 8};
  static constexpr u64 kSecond = 24;

  string second_fault() const {
    string found = fault(bytes_, kShape, 2);
    const string where = "record 1, 24 bytes into the block: ";
    return found.starts_with(where) ? found.substr(where.size()) : found;
  }
};

TEST_F(CheckRecords, CountsThem) {
  EXPECT_EQ(fault(bytes_, kShape, 2), "none");
  EXPECT_EQ(fault(bytes_, kShape, 3), "it has 2 records instead of 3");
  EXPECT_EQ(fault("", kShape, 0), "none");
  EXPECT_EQ(fault("", kShape, 1), "it has 0 records instead of 1");
}

TEST_F(CheckRecords, RefusesWhatIsCutOffAnywhere) {
  for (size_t size = 0; size < bytes_.size(); ++size) {
    EXPECT_NE(fault(bytes_.substr(0, size), kShape, 2), "none") << size;
  }
}

TEST_F(CheckRecords, RefusesFlagsItDoesNotKnow) {
  for (int bit : {21, 23, 24, 31}) {
    const u32 meta = get<u32>(bytes_, kSecond + 12);
    set(&bytes_, kSecond + 12, meta | u32{1} << bit);
    EXPECT_EQ(second_fault(), "it has flags that this mrc does not know");
    set(&bytes_, kSecond + 12, meta);
  }
}

TEST_F(CheckRecords, RefusesPartsThatDoNotFit) {
  const string good = bytes_;
  set<u32>(&bytes_, kSecond + 8, 5);
  EXPECT_EQ(second_fault(), "its variable part is longer than the record");
  set<u32>(&bytes_, kSecond + 8, ~u32{0});
  EXPECT_EQ(second_fault(), "its key is longer than the record");
  bytes_ = good;
  set<u32>(&bytes_, kSecond + 24, ~u32{0});
  EXPECT_EQ(second_fault(), "its variable part is longer than the record");
  set<u32>(&bytes_, kSecond + 24, 0);
  EXPECT_EQ(second_fault(), "its variable part is empty");
  bytes_ = good;
  set<u32>(&bytes_, kSecond + 12, (get<u32>(bytes_, kSecond + 12) & ~kVarBit));
  EXPECT_EQ(second_fault(), "it is longer than its parts");
  set<u32>(&bytes_, kSecond + 12, 3);
  EXPECT_EQ(second_fault(), "its length is impossible");
}

TEST_F(CheckRecords, RefusesPaddingThatIsNotZero) {
  for (u64 at : {kSecond + 22, kSecond + 23, kSecond + 31}) {
    bytes_[at] = 1;
    EXPECT_EQ(second_fault(), "its padding is not zero");
    bytes_[at] = 0;
  }
}

TEST_F(CheckRecords, RefusesALongFormThatIsShort) {
  string record = string(
      "\1\0\0\0\0\0\0\0"
      "\1\0\0\0\0\0\0\0"
      "\x20\0\0\0\0\0\0\0"
      "fixdk\0\0\0",
      32);
  EXPECT_EQ(fault(record, kShape, 1),
            "record 0, 0 bytes into the block: it has the long form without need");
  for (u64 length : {u64{0}, u64{8}, u64{31}, u64{33}, u64{1} << 63, ~u64{0}, ~u64{3}}) {
    set(&record, 16, length);
    EXPECT_NE(fault(record, kShape, 1), "none") << length;
  }
}

TEST_F(CheckRecords, DependsOnTheShape) {
  EXPECT_NE(fault(bytes_, {0, 8}, 2), "none");
  EXPECT_NE(fault(bytes_, {8, 8}, 2), "none");
  EXPECT_EQ(fault(bytes_, {4, 0}, 2), "none");
}

}  // namespace
}  // namespace mrc
