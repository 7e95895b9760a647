// The databases in tests/data: made-up places and providers in the networks of documentation.
#pragma once

#include "kinds/address.h"
#include "support/mmdb_writer.h"

#include <string>
#include <vector>

namespace mrc {

// REQUIRES: the text is a prefix such as 192.0.2.0/24
inline MmdbNetwork network_of(const std::string &prefix, MmdbValue record) {
  const AddressKey key = AddressRange::of_prefix(prefix)->first;
  const size_t bytes = key[0] == 4 ? 4 : 16;
  return {std::string(reinterpret_cast<const char *>(key.data()) + 1, bytes),
          std::stol(prefix.substr(prefix.find('/') + 1)), std::move(record)};
}

inline MmdbValue names_of(const std::string &english, const std::string &german) {
  return MmdbValue::Members{{"de", german}, {"en", english}};
}
inline MmdbValue coded(const std::string &member, const std::string &code, MmdbValue names) {
  return MmdbValue::Members{{member, code}, {"names", std::move(names)}};
}

// The layout of MaxMind and DB-IP has maps in maps.
inline std::string city_database() {
  using Members = MmdbValue::Members;
  const MmdbValue europe = coded("code", "EU", names_of("Europe", "Europa"));
  const MmdbValue america = coded("code", "NA", names_of("North America", "Nordamerika"));
  const MmdbValue asia = coded("code", "AS", names_of("Asia", "Asien"));
  const MmdbValue germany = coded("iso_code", "DE", names_of("Germany", "Deutschland"));
  const MmdbValue france = coded("iso_code", "FR", names_of("France", "Frankreich"));
  const MmdbValue states = coded("iso_code", "US", names_of("United States", "USA"));
  const MmdbValue japan = coded("iso_code", "JP", names_of("Japan", "Japan"));
  const auto city = [](const char *english, const char *german) {
    return MmdbValue(Members{{"names", names_of(english, german)}});
  };
  const auto regions = [](const char *code, const char *english, const char *german) {
    return MmdbValue::array({coded("iso_code", code, names_of(english, german))});
  };
  const auto location = [](double latitude, double longitude, const char *zone) {
    return MmdbValue(
        Members{{"latitude", latitude}, {"longitude", longitude}, {"time_zone", zone}});
  };
  const MmdbValue munich = Members{{"city", city("Munich", "München")},
                                   {"continent", europe},
                                   {"country", germany},
                                   {"location", location(48.1374, 11.5755, "Europe/Berlin")},
                                   {"postal", Members{{"code", "80331"}}},
                                   {"subdivisions", regions("BY", "Bavaria", "Bayern")}};
  const MmdbValue paris =
      Members{{"city", city("Paris", "Paris")},
              {"continent", europe},
              {"country", france},
              {"location", location(48.8566, 2.3522, "Europe/Paris")},
              {"postal", Members{{"code", "75001"}}},
              {"subdivisions", regions("IDF", "Île-de-France", "Île-de-France")}};
  const MmdbValue portland =
      Members{{"city", city("Portland", "Portland")},
              {"continent", america},
              {"country", states},
              {"location", location(45.5152, -122.6784, "America/Los_Angeles")},
              {"postal", Members{{"code", "97201"}}},
              {"subdivisions", regions("OR", "Oregon", "Oregon")}};
  const MmdbValue tokyo = Members{{"city", city("Tokyo", "Tokio")},
                                  {"continent", asia},
                                  {"country", japan},
                                  {"location", location(35.6895, 139.6917, "Asia/Tokyo")},
                                  {"subdivisions", regions("13", "Tokyo", "Tokio")}};
  // A country without a city, and a network without a country.
  const MmdbValue only_japan = Members{{"continent", asia}, {"country", japan}};
  const MmdbValue unknown = Members{{"registered_country", france}};
  return MmdbWriter({.record_size = 28, .type = "Test-City"})
      .write({network_of("192.0.2.0/25", munich), network_of("192.0.2.128/25", paris),
              network_of("198.51.100.0/24", portland), network_of("203.0.113.0/24", tokyo),
              network_of("203.0.113.192/26", only_japan), network_of("192.0.2.240/28", unknown),
              network_of("2001:db8::/32", paris), network_of("2001:db8:f::/48", munich)});
}

inline std::string asn_database() {
  const auto system = [](u64 number, const char *name) {
    return MmdbValue(MmdbValue::Members{{"autonomous_system_number", MmdbValue::u32_of(number)},
                                        {"autonomous_system_organization", name}});
  };
  return MmdbWriter({.record_size = 24, .type = "Test-ASN"})
      .write({network_of("192.0.2.0/24", system(64496, "Example Networks")),
              network_of("198.51.100.0/24", system(64497, "Sample Hosting, Inc.")),
              network_of("203.0.113.0/25", system(65551, "Beispiel GmbH")),
              network_of("2001:db8::/32", system(64496, "Example Networks"))});
}

// The layout of IPinfo is one map of texts.
inline std::string flat_database() {
  const auto record = [](const char *country, const char *code, const char *asn, const char *name) {
    return MmdbValue(MmdbValue::Members{{"as_name", name},
                                        {"asn", asn},
                                        {"continent", "Europe"},
                                        {"continent_code", "EU"},
                                        {"country", country},
                                        {"country_code", code}});
  };
  return MmdbWriter({.record_size = 32, .ip_version = 4, .type = "test lite.mmdb"})
      .write({network_of("192.0.2.0/24", record("Germany", "DE", "AS64496", "Example Networks")),
              network_of("198.51.100.0/24", record("France", "FR", "", ""))});
}

// Texts as well, but the country is a code, and numbers are texts.
inline std::string location_database() {
  const auto record = [](const char *country, const char *city, const char *latitude) {
    return MmdbValue(MmdbValue::Members{{"city", city},
                                        {"country", country},
                                        {"lat", latitude},
                                        {"lng", "-11.50"},
                                        {"postal_code", "80331"},
                                        {"region", "Bavaria"},
                                        {"timezone", "Europe/Berlin"}});
  };
  return MmdbWriter({.record_size = 24, .type = "test location.mmdb"})
      .write({network_of("192.0.2.0/24", record("DE", "Munich", "48.1374")),
              network_of("198.51.100.0/24", record("FR", "", "unknown"))});
}

}  // namespace mrc
