#include "fields/input_readers.h"
#include "output/record_text.h"
#include "unit/map/padded_text.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

class KeptBad : public BadRecordSink {
 public:
  void take(const Chunk &, const BadRecord &bad) override {
    reasons.push_back(bad.reason + (": " + std::string(bad.record)));
  }
  void take_value(const Chunk &, const BadField &bad) override {
    reasons.push_back(bad.reason + (": " + std::string(bad.value)));
  }
  std::vector<std::string> reasons;
};

class SelectText : public testing::Test {
 protected:
  // What one chunk, the beginning of an input in this format, becomes.
  const TransformedText &select(const std::string &text, const LineFormat *format,
                                const std::string &keys, const std::string &where = "") {
    spec_.fields.format.format = format;
    if (!keys.empty()) spec_.fields.keys = *parse_fields(keys, {});
    spec_.fields.filter = *make_filter(where, "", "", {});
    InputReaders readers(1, spec_.fields.wanted().names());
    EXPECT_TRUE(readers.set(0, *sniff(spec_.fields.format, text, true)).is_ok());
    const std::unique_ptr<Transformer> select = make_select(spec_);
    select->begin(&begin_);
    const PaddedText padded(text);
    read_ = select->make_worker(&readers, &bad_)->transform({padded.text(), 0, 0}, {}, &out_);
    return out_;
  }

  SelectSpec spec_;
  KeptBad bad_;
  TransformedText out_;
  std::string begin_;
  i64 read_ = 0;
};

TEST_F(SelectText, PrintsFieldsInTheOrderAsked) {
  EXPECT_EQ(select("a b c\nd e\n", &LineFormat::fields, "3,1").text, "c\ta\n\td\n");
  EXPECT_EQ(out_.records, 2);
  EXPECT_EQ(read_, 2);
}

TEST_F(SelectText, EscapesTsvUnlessItIsRaw) {
  EXPECT_EQ(select("a\\b\n", &LineFormat::lines, "0").text, "a\\\\b\n");
  out_.clear();
  spec_.shape.raw = true;
  EXPECT_EQ(select("a\\b\n", &LineFormat::lines, "0").text, "a\\b\n");
}

TEST_F(SelectText, CopiesCellsThatLieSideBySideInTheRecord) {
  const std::string longest(40, 'd');
  const std::string text =
      "a,b,,\"c\"," + longest + "\na,b,c\\,\td,e\na,b,c\n\"a\"\"\",b,c,d,\"e\nf\"\n";
  for (const std::string keys : {"1,2,3,4,5", "5,4,3,2,1", "1,2,1,2,5", "4"}) {
    out_.clear();
    std::string naive;
    select(text, &LineFormat::csv, keys);
    const std::vector<std::vector<std::string>> records = {{"a", "b", "", "c", longest},
                                                           {"a", "b", "c\\\\", "\\td", "e"},
                                                           {"a", "b", "c", "", ""},
                                                           {"a\"", "b", "c", "d", "e\\nf"}};
    for (const auto &record : records) {
      for (const char key : keys) {
        key == ',' ? naive.push_back('\t') : void(naive += record[static_cast<size_t>(key - '1')]);
      }
      naive += "\n";
    }
    EXPECT_EQ(out_.text, naive) << keys;
  }
}

TEST_F(SelectText, JsonHasNullForMissingFieldsAndNumbersOfBuckets) {
  spec_.shape.format = &OutputFormat::json;
  EXPECT_EQ(select("a=15\nb=1\n", &LineFormat::logfmt, "a:10,b").text,
            "{\"a:10\":10,\"b\":null}\n{\"a:10\":null,\"b\":\"1\"}\n");
}

TEST_F(SelectText, JsonIsAsItWasWritten) {
  const std::string record =
      "{\"ms\":12.50,\"s\":\"x\\ty\",\"t\":true,\"n\":null,\"o\":{\"a\": [1]},\"d\":\"5\"}\n";
  spec_.shape.format = &OutputFormat::json;
  spec_.known.assign(6, {.is_read = true});
  EXPECT_EQ(select(record, &LineFormat::json, "ms,s,t,n,o,d").text, record);
  out_.clear();
  spec_.all_text = true;
  EXPECT_EQ(select(record, &LineFormat::json, "ms,t,n,d").text,
            "{\"ms\":\"12.50\",\"t\":\"true\",\"n\":null,\"d\":\"5\"}\n");
}

TEST_F(SelectText, JsonHasNumbersAndTruthOfTheirKinds) {
  spec_.shape.format = &OutputFormat::json;
  spec_.known = {{ValueKind::number, true}, {ValueKind::truth, true}, {ValueKind::text, true}};
  EXPECT_EQ(select("a=1.50 b=true c=1\na=007 b=yes c=2\n", &LineFormat::logfmt, "a,b,c").text,
            "{\"a\":1.50,\"b\":true,\"c\":\"1\"}\n"
            "{\"a\":\"007\",\"b\":\"yes\",\"c\":\"2\"}\n");
}

TEST_F(SelectText, AHeaderOfFieldsPrecedesAllInput) {
  spec_.shape.format = &OutputFormat::csv;
  spec_.shape.header = true;
  select("a=1\n", &LineFormat::logfmt, "\"x,y\",a");
  EXPECT_EQ(begin_, "\"x,y\",a\n");
  EXPECT_EQ(out_.text, ",1\n");
}

TEST_F(SelectText, WholeRecordsKeepCarriageReturnsAndGetATerminator) {
  EXPECT_EQ(select("x 1\r\ny 2\r\nx 3", &LineFormat::fields, "", "$1 == 'x'").text, "x 1\r\nx 3\n");
  EXPECT_EQ(out_.records, 2);
  EXPECT_EQ(read_, 3);
}

TEST_F(SelectText, WholeRecordsHaveTheHeaderOfTheirInput) {
  spec_.shape.header = true;
  EXPECT_EQ(select("\"a,b\",c\n1,2\n3,4\n", &LineFormat::csv, "", "c == 4").text, "3,4\n");
  EXPECT_EQ(out_.header, "\"a,b\",c\n");
  EXPECT_EQ(out_.records, 1);
}

TEST_F(SelectText, AValueThatDoesNotFitItsBucketIsMissing) {
  EXPECT_EQ(select("1 a\nb 2\n- 3\n", &LineFormat::fields, "2,1:10").text, "a\t0\n2\t\n3\t-\n");
  EXPECT_EQ(bad_.reasons, std::vector<std::string>{"the value does not fit 1:10: b"});
  EXPECT_EQ(read_, 3);
}

TEST_F(SelectText, OfALimitedAnswerEndsAndPositionsOfRecordsAreKnown) {
  spec_.of_all = 5;
  select("a 1\nb 2\na 3\n", &LineFormat::fields, "2", "$1 == 'a'");
  EXPECT_EQ(out_.ends, (std::vector<i64>{2, 4}));
  EXPECT_EQ(out_.positions, (std::vector<u64>{0, 8}));
}

TEST_F(SelectText, ControlCharactersDoNotReachATerminal) {
  spec_.shape.terminal = true;
  EXPECT_EQ(select("a\x1b[1m\n", &LineFormat::lines, "").text, "a\\x1b[1m\n");
}

}  // namespace
}  // namespace mrc
