#include "input/folders.h"

#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace mrc {
namespace {

std::string folder(Bytes name, Bytes value) {
  std::string text;
  append_folder(name, value, &text);
  return text;
}

TEST(Folders, HaveNamesAsHiveWritesThem) {
  EXPECT_EQ(folder("day", "2025-11-24"), "day=2025-11-24");
  EXPECT_EQ(folder("k", ""), "k=__HIVE_DEFAULT_PARTITION__");
  EXPECT_EQ(folder("k", "__HIVE_DEFAULT_PARTITION__"), "k=%5F_HIVE_DEFAULT_PARTITION__");
  EXPECT_EQ(folder("a/b", "10:30 = 50%"), "a%2Fb=10%3A30 %3D 50%25");
  EXPECT_EQ(folder("k", "\xC3\xA4\xFF\n"), "k=\xC3\xA4%FF%0A");
}

TEST(Folders, AreFieldsWithTheValuesThatTheyWereMadeOf) {
  const std::vector<std::string> values = {
      "x", "", "-", "a/b=c", "%41", "\xFF\xFE", "\xE2\x82", "..", "{[^]}'\"*?", "\x7F", "%", "%2"};
  for (const std::string &value : values) {
    const std::optional<FolderField> field = folder_field(folder("n=m", value));
    ASSERT_TRUE(field) << value;
    EXPECT_EQ(field->name, "n=m");
    EXPECT_EQ(field->value, value.empty() ? std::nullopt : std::optional(value));
  }
}

TEST(Folders, ThatHaveNoValueAreNoFields) {
  for (const Bytes name : {"", "day", "=x", "x=", "."}) EXPECT_FALSE(folder_field(name)) << name;
}

TEST(Folders, OfAPathAreAllItsFields) {
  using Fields = std::vector<FolderField>;
  EXPECT_EQ(folder_fields("d/year=2025/m=1/part.csv"), (Fields{{"year", "2025"}, {"m", "1"}}));
  EXPECT_EQ(folder_fields("/a=1/b/a=2/f"), (Fields{{"a", "2"}}));
  EXPECT_EQ(folder_fields("x=1.csv"), Fields());
  EXPECT_EQ(folder_fields("d/k=__HIVE_DEFAULT_PARTITION__/f"), (Fields{{"k", std::nullopt}}));
}

TEST(Folders, HideNamesThatBeginWithADotOrAnUnderscore) {
  const TemporaryFolder at;
  EXPECT_FALSE(has_field_folders(at.path("")));
  std::filesystem::create_directories(at.path("k=1/_temporary"));
  std::filesystem::create_directories(at.path(".mrc"));
  for (const char *name : {"k=1/b", "k=1/a", "k=1/.a.mrcx", "k=1/_SUCCESS", ".mrc/MANIFEST"}) {
    at.write(name, "");
  }
  at.write("k=1/_temporary/0", "");
  EXPECT_TRUE(has_field_folders(at.path("")));
  const Result<std::vector<std::string>> files = files_below(at.path("k=1"));
  ASSERT_TRUE(files.is_ok());
  EXPECT_EQ(*files, (std::vector{at.path("k=1/a"), at.path("k=1/b")}));
}

}  // namespace
}  // namespace mrc
