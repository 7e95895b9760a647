// Databases of random networks: addresses are found as the longest prefix tells. Damaged ones are
// an error, or have some result.
#include "expr/inner/geo_database.h"
#include "support/example_databases.h"
#include "support/random.h"
#include "support/seed.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace mrc {
namespace {

using std::string;
using Found = GeoDatabase::Found;

// Few values of each byte, so that prefixes are within others.
AddressKey random_address(Random &random, bool is_ipv4) {
  AddressKey key{static_cast<u8>(is_ipv4 ? 4 : 6)};
  for (size_t i = 1; i <= (is_ipv4 ? 4 : 16); ++i) {
    key[i] = static_cast<u8>(one_of<i64>(random, {0, 1, 127, 128, 255, pick(random, 0, 255)}));
  }
  if (!is_ipv4) key[1] = 0x20;  // addresses of IPv4 begin with zeros
  return key;
}

struct Prefix {
  AddressKey first, last;
  i64 bits;
  string name;
};

// Prefixes are different: there is no last one of two that are equal.
std::vector<Prefix> random_prefixes(Random &random, bool has_ipv6) {
  std::vector<Prefix> prefixes;
  const i64 count = pick(random, 1, 60);
  for (i64 i = 0; i < count; ++i) {
    const bool is_ipv4 = !has_ipv6 || one_in(random, 2);
    const i64 bits = pick(random, is_ipv4 ? 1 : 4, is_ipv4 ? 32 : 128);
    const AddressRange range = AddressRange::around(random_address(random, is_ipv4), bits);
    const auto is_same = [&](const Prefix &other) {
      return other.first == range.first && other.last == range.last;
    };
    if (std::ranges::any_of(prefixes, is_same)) continue;
    prefixes.push_back({range.first, range.last, bits, "n" + std::to_string(i % 40)});
  }
  return prefixes;
}

string naive_name(const std::vector<Prefix> &prefixes, const AddressKey &address) {
  const Prefix *longest = nullptr;
  for (const Prefix &prefix : prefixes) {
    const bool is_in =
        bytes_of(prefix.first) <= bytes_of(address) && bytes_of(address) <= bytes_of(prefix.last);
    if (is_in && (longest == nullptr || longest->bits < prefix.bits)) longest = &prefix;
  }
  return longest == nullptr ? "-" : longest->name;
}

string name_in(const GeoDatabase &database, const AddressKey &address) {
  u32 record = 0;
  MMDB_entry_data_s value;
  Found found = database.find(address, &record);
  if (found == Found::value) found = database.read(record, {"a", "1", "name"}, &value);
  if (found == Found::damage) return "damage";
  const bool is_text = found == Found::value && value.type == MMDB_DATA_TYPE_UTF8_STRING;
  return is_text ? string(value.utf8_string, value.data_size) : "-";
}

string random_database(Random &random, const std::vector<Prefix> &prefixes, i64 version) {
  MmdbWriter writer({.record_size = one_of<i64>(random, {24, 28, 32}),
                     .ip_version = version,
                     .filler = one_of<size_t>(random, {0, 0, 3000, 600'000})});
  std::vector<MmdbNetwork> networks;
  for (const Prefix &prefix : prefixes) {
    const MmdbValue named = MmdbValue::Members{{"name", prefix.name}};
    const MmdbValue record = MmdbValue::Members{{"a", MmdbValue::array({"first element", named})}};
    networks.push_back(network_of(
        [&] {
          string text;
          append_address(prefix.first, &text);
          return text + "/" + std::to_string(prefix.bits);
        }(),
        record));
  }
  return writer.write(std::move(networks));
}

std::vector<AddressKey> addresses_around(Random &random, const std::vector<Prefix> &prefixes,
                                         bool has_ipv6) {
  std::vector<AddressKey> addresses;
  for (const Prefix &prefix : prefixes) {
    addresses.push_back(prefix.first);
    addresses.push_back(prefix.last);
  }
  for (int i = 0; i < 200; ++i) {
    addresses.push_back(random_address(random, !has_ipv6 || one_in(random, 2)));
  }
  return addresses;
}

TEST(GeoAgainstNaive, FindsTheLongestPrefix) {
  const u64 seed = first_seed();
  SCOPED_TRACE("MRC_SEED=" + std::to_string(seed));
  Random random(seed);
  const TemporaryFolder folder;
  for (i64 round = 0; round < 100 * rounds(); ++round) {
    const i64 version = one_of<i64>(random, {4, 6});
    const std::vector<Prefix> prefixes = random_prefixes(random, version == 6);
    const auto database = GeoDatabase::open(
        folder.write(std::to_string(round), random_database(random, prefixes, version)));
    ASSERT_TRUE(database.is_ok()) << database.status().message();
    for (const AddressKey &address : addresses_around(random, prefixes, version == 6)) {
      string shown;
      append_address(address, &shown);
      ASSERT_EQ(name_in(**database, address), naive_name(prefixes, address)) << shown;
    }
  }
}

TEST(GeoAgainstNaive, NothingBreaksOnDamage) {
  const u64 seed = first_seed();
  SCOPED_TRACE("MRC_SEED=" + std::to_string(seed));
  Random random(seed);
  const TemporaryFolder folder;
  const std::vector<Prefix> prefixes = random_prefixes(random, true);
  const string wholes[] = {city_database(), random_database(random, prefixes, 6)};
  for (i64 round = 0; round < 500 * rounds(); ++round) {
    string content = wholes[round % 2];
    for (i64 flips = pick(random, 1, 8); flips > 0; --flips) {
      // Half of them are at the end, which says how to read the rest.
      const i64 last = std::ssize(content) - 1;
      const i64 at = one_in(random, 2) ? pick(random, std::max<i64>(0, last - 250), last)
                                       : pick(random, 0, last);
      content[static_cast<size_t>(at)] ^= static_cast<char>(1 << pick(random, 0, 7));
    }
    if (one_in(random, 5))
      content.resize(static_cast<size_t>(pick(random, 0, std::ssize(content))));
    const auto database = GeoDatabase::open(folder.write("damaged", content));
    if (!database.is_ok()) continue;
    for (const AddressKey &address : addresses_around(random, prefixes, true)) {
      name_in(**database, address);
    }
    static_cast<void>((*database)->any_record([&](u32 record) -> Result<bool> {
      MMDB_entry_data_s value;
      return (*database)->read(record, {"country", "names", "en"}, &value) == Found::damage;
    }));
  }
}

}  // namespace
}  // namespace mrc
