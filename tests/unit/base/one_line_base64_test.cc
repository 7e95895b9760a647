#include "base/one_line.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

std::string encoded(Bytes bytes) {
  std::string text;
  append_base64(bytes, &text);
  return text;
}

// Of RFC 4648, section 10.
TEST(Base64, EncodesAsTheStandardHasIt) {
  EXPECT_EQ(encoded(""), "");
  EXPECT_EQ(encoded("f"), "Zg==");
  EXPECT_EQ(encoded("fo"), "Zm8=");
  EXPECT_EQ(encoded("foo"), "Zm9v");
  EXPECT_EQ(encoded("foobar"), "Zm9vYmFy");
}

TEST(Base64, AllBytesComeBack) {
  std::string all;
  for (int i = 0; i < 256; ++i) all.push_back(static_cast<char>(i));
  for (size_t size = 0; size <= all.size(); ++size) {
    std::string back;
    ASSERT_TRUE(append_from_base64(encoded(all.substr(0, size)), &back));
    EXPECT_EQ(back, all.substr(0, size));
  }
}

TEST(Base64, RefusesWhatIsNoEncoding) {
  for (const char *text :
       {"Zg", "Zg=", "Zm9", "Zm9v!m9v", "====", "=g==", "Zh==", "Zm9=", "Z g="}) {
    std::string out;
    EXPECT_FALSE(append_from_base64(text, &out)) << text;
  }
}

}  // namespace
}  // namespace mrc
