#include "fields/input_readers.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

using std::string;
using std::vector;
using FromFolder = InputReaders::FromFolder;

// Returns the fields that a reader gives for an input's records; "-" for a missing value.
string fields_of_source(const InputReaders &readers, i64 source, const string &text,
                        size_t fields) {
  const string padded = text + string(kPadding, '\0');
  const Chunk chunk{.bytes = Bytes(padded).substr(0, text.size()), .source = source, .offset = 1};
  const char *next = chunk.bytes.data();
  RecordBatch batch;
  batch.set_columns(fields);
  readers.of(source)->read(chunk, &next, &batch);
  string all;
  for (size_t i = 0; i < static_cast<size_t>(batch.size); ++i) {
    for (const auto &column : batch.fields) {
      all += (column[i].data() == nullptr ? "-" : string(column[i])) + " ";
    }
  }
  return all;
}

std::shared_ptr<const FolderFields> folders_of_two_inputs() {
  auto folders = std::make_shared<FolderFields>();
  folders->add("a", {{"day", "mon"}, {"k", "folder"}});
  folders->add("7", {{"day", std::nullopt}, {"k", "7"}});
  return folders;
}

TEST(FolderFields, AreThoseOfTheirInput) {
  InputReaders readers(2, {{"day", -1}, {"v", -1}, {"k", -1}}, {}, folders_of_two_inputs());
  const Dialect dialect{.format = &LineFormat::tsv, .names = {"v", "k"}};
  ASSERT_TRUE(readers.set(0, dialect).is_ok());
  ASSERT_TRUE(readers.set(1, dialect).is_ok());
  // The records have k themselves, if only in some of them.
  EXPECT_EQ(fields_of_source(readers, 0, "1\ta\n2\n", 3), "mon 1 a mon 2 - ");
  EXPECT_EQ(fields_of_source(readers, 1, "3\tb\n", 3), "- 3 b ");
  EXPECT_EQ(readers.from_folder_of(0, {"day", -1}), FromFolder::always);
  EXPECT_EQ(readers.from_folder_of(0, {"k", -1}), FromFolder::never);
  EXPECT_EQ(readers.of(0), readers.of(1));
}

TEST(FolderFields, FillWhatRecordsOfAnOpenFormatDoNotHave) {
  InputReaders readers(2, {{"k", -1}, {"v", -1}}, {}, folders_of_two_inputs());
  const Dialect dialect{.format = &LineFormat::json, .open = true};
  ASSERT_TRUE(readers.set(1, dialect).is_ok());
  EXPECT_EQ(fields_of_source(readers, 1, "{\"k\":1,\"v\":2}\n{\"v\":3}\n", 2), "1 2 7 3 ");
  EXPECT_EQ(readers.from_folder_of(1, {"k", -1}), FromFolder::if_missing);
}

TEST(FolderFields, HaveTheNameOfTheInputForEachFormat) {
  InputReaders readers(2, {input_name(), {"file()", -1}, {"v", -1}}, {}, folders_of_two_inputs());
  ASSERT_TRUE(readers.set(0, {.format = &LineFormat::tsv, .names = {"file()", "v"}}).is_ok());
  ASSERT_TRUE(readers.set(1, {.format = &LineFormat::json, .open = true}).is_ok());
  EXPECT_EQ(fields_of_source(readers, 0, "x\t1\n", 1), "a x 1 ");
  EXPECT_EQ(fields_of_source(readers, 1, "{\"v\":2}\n{\"file()\":3}\n", 2), "7 - 2 7 3 - ");
  EXPECT_EQ(readers.from_folder_of(1, input_name()), FromFolder::always);
}

TEST(FolderFields, OfOtherInputsAreNoneOfThisOne) {
  auto folders = std::make_shared<FolderFields>();
  folders->add("a", {{"day", "mon"}});
  folders->add("b", {});
  InputReaders readers(2, {{"day", -1}}, {}, folders);
  const Dialect dialect{.format = &LineFormat::tsv, .names = {"v"}};
  EXPECT_TRUE(readers.set(0, dialect).is_ok());
  EXPECT_FALSE(readers.set(1, dialect).is_ok());
}

}  // namespace
}  // namespace mrc
