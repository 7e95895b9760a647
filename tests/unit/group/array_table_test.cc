#include "group/array_table.h"

#include "map/key_image.h"
#include "unit/map/padded_text.h"

#include <gtest/gtest.h>

#include <set>

namespace mrc {
namespace {

Key16 image(const std::string &key) {
  const PaddedText text(key, 'x');
  return image16<Fold::none>(text.text().data(), key.size());
}

TEST(ArrayTable, HasPlacesForShortKeysAndNumbers) {
  std::set<i64> places;
  i64 keys = 0;
  auto add = [&](const std::string &key) {
    const i64 place = ArrayTable::index_of(image(key));
    ASSERT_GE(place, 0) << testing::PrintToString(key);
    places.insert(place);
    ++keys;
  };
  add("");
  for (int a = 0; a < 256; ++a) {
    add(std::string(1, static_cast<char>(a)));
    for (int b = 0; b < 256; ++b) add({static_cast<char>(a), static_cast<char>(b)});
  }
  for (int number = 100; number <= 65535; ++number) add(std::to_string(number));
  EXPECT_EQ(std::ssize(places), keys) << "each its own";
}

TEST(ArrayTable, HasNoPlacesForOtherKeys) {
  for (const std::string &key :
       {std::string("007"), std::string("0100"), std::string("-12"), std::string("+12"),
        std::string("12a"), std::string("a12"), std::string("1.5"), std::string("65536"),
        std::string("99999"), std::string("100000"), std::string("12 "), std::string(" 12"),
        std::string("12\0", 3), std::string("\0\0\0", 3), std::string("12:"), std::string("12/"),
        std::string("\xB1\xB2\xB3"), std::string("012345678901234"), std::string("123456789")}) {
    EXPECT_EQ(ArrayTable::index_of(image(key)), -1) << testing::PrintToString(key);
  }
}

TEST(ArrayTable, SendsOtherKeysToATable) {
  ArrayTable table(8, 0);
  auto batch = std::make_unique<Batch<Key16>>();
  const std::vector<std::string> keys = {"7", "seven", "007", "7", "seven", "777", "", "007"};
  for (const std::string &key : keys) {
    const auto at = static_cast<size_t>(batch->size++);
    batch->keys[at] = image(key);
    batch->hashes[at] = hash(batch->keys[at], Seed{1, 2});
  }
  std::vector<State *> states(keys.size());
  table.group(*batch, states.data());
  for (size_t i = 0; i < keys.size(); ++i) {
    for (size_t j = 0; j < keys.size(); ++j) {
      EXPECT_EQ(states[i] == states[j], keys[i] == keys[j]) << keys[i] << " and " << keys[j];
    }
  }
  EXPECT_EQ(table.usage().keys, 5);
}

}  // namespace
}  // namespace mrc
