#include "expr/inner/geo_database.h"

#include "expr/geo.h"
#include "support/example_databases.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace mrc {
namespace {

using std::string;
using Found = GeoDatabase::Found;

class DatabasesOfNetworks : public testing::Test {
 protected:
  std::unique_ptr<const GeoDatabase> opened(const string &content) const {
    auto database = GeoDatabase::open(folder_.write("db.mmdb", content));
    EXPECT_TRUE(database.is_ok()) << database.status().message();
    return database.is_ok() ? std::move(*database) : nullptr;
  }
  string refusal(const string &content) const {
    const auto database = GeoDatabase::open(folder_.write("bad.mmdb", content));
    if (database.is_ok()) return "";
    const string &message = database.status().message();
    return message.substr(std::min(message.size(), folder_.path("bad.mmdb").size()));
  }
  // The text at a path of the address's record; "-": there is none.
  static string text_at(const GeoDatabase &database, const char *address,
                        const GeoDatabase::Path &path) {
    u32 record = 0;
    MMDB_entry_data_s value;
    Found found = database.find(*address_key(address), &record);
    if (found == Found::value) found = database.read(record, path, &value);
    if (found == Found::damage) return "damage";
    const bool is_text = found == Found::value && value.type == MMDB_DATA_TYPE_UTF8_STRING;
    return is_text ? string(value.utf8_string, value.data_size) : "-";
  }

  TemporaryFolder folder_;
};

constexpr GeoDatabase::Path kCountry = {"country", "iso_code"},
                            kRegion = {"subdivisions", "0", "names", "en"};

TEST_F(DatabasesOfNetworks, FindsTheLongestPrefix) {
  const auto city = opened(city_database());
  EXPECT_EQ(text_at(*city, "192.0.2.1", kCountry), "DE");
  EXPECT_EQ(text_at(*city, "192.0.2.128", kCountry), "FR");
  EXPECT_EQ(text_at(*city, "192.0.2.1", kRegion), "Bavaria");
  EXPECT_EQ(text_at(*city, "203.0.113.200", kRegion), "-");
  EXPECT_EQ(text_at(*city, "192.0.2.241", kCountry), "-");
  EXPECT_EQ(text_at(*city, "8.8.8.8", kCountry), "-");
  EXPECT_EQ(text_at(*city, "2001:db8:e::1", kCountry), "FR");
  EXPECT_EQ(text_at(*city, "2001:db8:f::1", kCountry), "DE");
  EXPECT_EQ(text_at(*city, "::ffff:192.0.2.1", kCountry), "DE");
  EXPECT_EQ(city->type(), "Test-City");
}

TEST_F(DatabasesOfNetworks, HaveRecordsOfThreeSizes) {
  for (const i64 size : {24, 28, 32}) {
    for (const i64 version : {4, 6}) {
      SCOPED_TRACE(testing::Message() << size << " bits, IPv" << version);
      MmdbWriter writer({.record_size = size, .ip_version = version});
      const auto database =
          opened(writer.write({network_of("10.0.0.0/8", MmdbValue::Members{{"a", "ten"}}),
                               network_of("10.9.0.0/16", MmdbValue::Members{{"a", "nine"}})}));
      EXPECT_EQ(text_at(*database, "10.1.2.3", {"a"}), "ten");
      EXPECT_EQ(text_at(*database, "10.9.2.3", {"a"}), "nine");
      EXPECT_EQ(text_at(*database, "11.1.2.3", {"a"}), "-");
      EXPECT_EQ(text_at(*database, "2001:db8::1", {"a"}), "-");
    }
  }
}

// Bytes before the records give pointers two, three and four bytes more.
TEST_F(DatabasesOfNetworks, HavePointersOfAllSizes) {
  for (const size_t filler : {0, 5000, 700'000, 10'000'000}) {
    SCOPED_TRACE(filler);
    const MmdbValue name = MmdbValue::Members{{"en", "a long name of a place"}};
    const MmdbValue one = MmdbValue::Members{{"names", name}, {"number", "1"}};
    const MmdbValue two = MmdbValue::Members{{"names", name}, {"number", "2"}};
    MmdbWriter writer({.record_size = 28, .filler = filler});
    const auto database =
        opened(writer.write({network_of("10.0.0.0/8", one), network_of("11.0.0.0/8", two)}));
    EXPECT_EQ(text_at(*database, "11.0.0.1", {"names", "en"}), "a long name of a place");
    EXPECT_EQ(text_at(*database, "11.0.0.1", {"number"}), "2");
    EXPECT_EQ(text_at(*database, "10.0.0.1", {"number"}), "1");
  }
}

TEST_F(DatabasesOfNetworks, RefuseWhatIsNoDatabase) {
  const string whole = city_database();
  const string none =
      ": it is no MaxMind DB file (.mmdb) of networks, or it is cut short or compressed";
  EXPECT_EQ(refusal(""), none);
  EXPECT_EQ(refusal("ip,country\n192.0.2.1,DE\n"), none);
  EXPECT_EQ(refusal(whole.substr(0, whole.size() / 2)), none);
  EXPECT_EQ(refusal(string(100, '\0') + "\xAB\xCD\xEFMaxMind.com"), none);
  EXPECT_NE(refusal(whole.substr(whole.size() / 2)), "");
  for (size_t size = whole.size() - 150; size < whole.size(); ++size) {
    EXPECT_NE(refusal(whole.substr(0, size)), "") << size;
  }
  EXPECT_EQ(GeoDatabase::open(folder_.path(".")).status().message(),
            folder_.path(".") + ": Is a directory");
}

TEST_F(DatabasesOfNetworks, RefuseAnotherVersion) {
  string other = city_database();
  const string name = "binary_format_major_version";
  other[other.find(name) + name.size() + 1] = 3;
  EXPECT_EQ(refusal(other), ": it is of another version of the MaxMind DB format than 2");
}

// The library would compute the size of such a tree in 32 bits.
TEST_F(DatabasesOfNetworks, RefuseATreeThatIsLongerThanTheFile) {
  string other = city_database();
  const size_t at = other.find("node_count") + string("node_count").size();
  const size_t shown = static_cast<size_t>(other[at] & 31);
  other.replace(at, 1 + shown, string("\xC4\x80\x00\x00\x01", 5));
  EXPECT_NE(refusal(other), "");
}

TEST_F(DatabasesOfNetworks, AskEachRecordOnce) {
  const auto city = opened(city_database());
  int records = 0;
  const Result<bool> none = city->any_record([&](u32) -> Result<bool> { return ++records < 0; });
  EXPECT_TRUE(none.is_ok() && !*none);
  EXPECT_EQ(records, 6);
  const Result<bool> third = city->any_record([&](u32) -> Result<bool> { return --records == 3; });
  EXPECT_TRUE(third.is_ok() && *third);
}

TEST_F(DatabasesOfNetworks, HaveADigestOfTheirContent) {
  const string path = folder_.write("a.mmdb", city_database());
  const string first = (*GeoDatabases::open({path}))->digests();
  EXPECT_EQ((*GeoDatabases::open({path}))->digests(), first);
  string other = city_database();
  other[other.find("Munich")] = 'B';
  folder_.write("a.mmdb", other);
  EXPECT_NE((*GeoDatabases::open({path}))->digests(), first);
  EXPECT_EQ(GeoDatabases::elsewhere()->digests(), "");
}

// With MRC_BLESS=1, the test writes them.
TEST_F(DatabasesOfNetworks, OfTheTestsAreThese) {
  const std::pair<string, string> all[] = {{"geo/city.mmdb", city_database()},
                                           {"geo/asn.mmdb", asn_database()},
                                           {"geo/flat.mmdb", flat_database()},
                                           {"geo/location.mmdb", location_database()},
                                           {"questions/city.mmdb", city_database()}};
  for (const auto &[name, content] : all) {
    const string path = string(MRC_SOURCE_DIR) + "/tests/data/" + name;
    if (std::getenv("MRC_BLESS") != nullptr) std::ofstream(path, std::ios::binary) << content;
    std::stringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    EXPECT_EQ(text.str(), content) << name;
  }
}

}  // namespace
}  // namespace mrc
