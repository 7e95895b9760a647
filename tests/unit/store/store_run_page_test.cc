// The example of mrc-state(5), byte for byte.
#include "map/key_image.h"
#include "store/store.h"
#include "support/run_bytes.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

namespace mrc {
namespace {

using std::string;

// "the" three times and "of" once, as `mrc wordcount` would count them.
string example_run() {
  Result<RunFile> file = RunFile::temporary(testing::TempDir());
  if (!file.is_ok()) std::abort();
  const RunHeader header = {.plan = checksum_bytes("an example"),
                            .seed = {0x0123456789abcdef, 0xfedcba9876543210},
                            .order = RunOrder::hash,
                            .shape = {.raw_bytes = 0, .state_bytes = 8}};
  const string text = string("the\0of", 6) + string(kPadding, '\0');
  struct Counted {
    u64 hash;
    Key16 key;
    u64 count;
  } words[] = {{0, image16<Fold::none>(text.data(), 3), 3},
               {0, image16<Fold::none>(text.data() + 4, 2), 1}};
  for (Counted &word : words) word.hash = hash(word.key, header.seed);
  std::ranges::sort(words, {}, &Counted::hash);
  Payload payload(header.shape);
  for (const Counted &word : words) {
    payload.add({.hash = word.hash,
                 .key = key_bytes(word.key),
                 .is_state = true,
                 .fixed = reinterpret_cast<const std::byte *>(&word.count)});
  }
  BlockInfo info = payload.info();
  info.order = RunOrder::hash;
  RunWriter writer(&*file, header);
  if (!writer.add_block(info, payload.bytes()).is_ok()) std::abort();
  if (!writer.finish().is_ok()) std::abort();
  return all_bytes(*file);
}

// "0a8  4d 52  what it is": three digits of offset, then bytes up to two blanks.
void append_dumped(const string &line, string *bytes) {
  if (line.size() < 7 || line.find_first_not_of("0123456789abcdef") != 3 || line[4] != ' ') return;
  EXPECT_EQ(std::stoul(line.substr(0, 3), nullptr, 16), bytes->size()) << line;
  for (size_t at = 5; at + 1 < line.size() && line[at] != ' '; at += 3) {
    *bytes += static_cast<char>(std::stoul(line.substr(at, 2), nullptr, 16));
  }
}

string dump(const string &bytes) {
  string text;
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (i % 8 == 0) text += fmt::format("\n{:03x} ", i);
    text += fmt::format(" {:02x}", static_cast<u8>(bytes[i]));
  }
  return text;
}

TEST(ManualOfRuns, HasARunAsItsExample) {
  std::ifstream page(MRC_SOURCE_DIR "/man/mrc-state.5");
  string bytes;
  for (string line; std::getline(page, line);) append_dumped(line, &bytes);
  EXPECT_TRUE(bytes == example_run()) << "it should be:" << dump(example_run());
  EXPECT_EQ(read_all(bytes), "");
}

}  // namespace
}  // namespace mrc
