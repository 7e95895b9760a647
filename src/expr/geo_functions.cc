// geo(ADDRESS, PART): databases of networks, and where their records have the parts.
#include "base/hash.h"
#include "base/setting_name.h"
#include "expr/geo.h"
#include "expr/inner/functions.h"
#include "expr/inner/geo_database.h"
#include "expr/inner/value_nodes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <optional>

namespace mrc {
namespace {

using Found = GeoDatabase::Found;

struct Part {
  const char *name;
  bool is_number = false;
};
constexpr Part kParts[] = {
    {"country"}, {"country_name"},   {"continent"},       {"region"},   {"region_code"}, {"city"},
    {"postal"},  {"latitude", true}, {"longitude", true}, {"timezone"}, {"asn", true},   {"org"},
};

// A place of a part in records: the first that a record has counts. The databases of MaxMind and
// DB-IP have maps in maps, and those of IPinfo a single map.
struct Place {
  const char *part;
  GeoDatabase::Path path;
  const char *beside = nullptr;  // a member that the record has to have, too
};
constexpr Place kPlaces[] = {
    {"country", {"country", "iso_code"}},
    {"country", {"country_code"}},
    {"country", {"country"}},
    {"country_name", {"country", "names", "en"}},
    {"country_name", {"country_name"}},
    {"country_name", {"country"}, "country_code"},
    {"continent", {"continent", "code"}},
    {"continent", {"continent_code"}},
    {"continent", {"continent"}},
    {"city", {"city", "names", "en"}},
    {"city", {"city"}},
    {"region", {"subdivisions", "0", "names", "en"}},
    {"region", {"region"}},
    {"region_code", {"subdivisions", "0", "iso_code"}},
    {"region_code", {"region_code"}},
    {"timezone", {"location", "time_zone"}},
    {"timezone", {"timezone"}},
    {"postal", {"postal", "code"}},
    {"postal", {"postal_code"}},
    {"postal", {"postal"}},
    {"latitude", {"location", "latitude"}},
    {"latitude", {"latitude"}},
    {"latitude", {"lat"}},
    {"longitude", {"location", "longitude"}},
    {"longitude", {"longitude"}},
    {"longitude", {"lng"}},
    {"asn", {"autonomous_system_number"}},
    {"asn", {"traits", "autonomous_system_number"}},
    {"asn", {"asn"}},
    {"org", {"autonomous_system_organization"}},
    {"org", {"traits", "autonomous_system_organization"}},
    {"org", {"as_name"}},
    {"org", {"name"}, "asn"},
};

bool is_text(const MMDB_entry_data_s &value) { return value.type == MMDB_DATA_TYPE_UTF8_STRING; }
Bytes text_of(const MMDB_entry_data_s &value) { return {value.utf8_string, value.data_size}; }

template <typename Real>
Number number_of_real(Real real, Arena *arena) {
  std::array<char, 32 + kPadding> text;
  const char *end = std::to_chars(text.data(), text.data() + 32, real).ptr;
  return parse_number({text.data(), static_cast<size_t>(end - text.data())}, arena);
}

// Reads a number, or a text such as 37.4 or AS64496. Returns kBadNumber for others.
Number number_of(const MMDB_entry_data_s &value, Arena *arena) {
  switch (value.type) {
    case MMDB_DATA_TYPE_UINT16: return make_number(value.uint16, 0);
    case MMDB_DATA_TYPE_UINT32: return make_number(value.uint32, 0);
    case MMDB_DATA_TYPE_INT32: return make_number(value.int32, 0);
    case MMDB_DATA_TYPE_UINT64: return decimal_number(value.uint64, 0, arena);
    case MMDB_DATA_TYPE_FLOAT: return number_of_real(value.float_value, arena);
    case MMDB_DATA_TYPE_DOUBLE: return number_of_real(value.double_value, arena);
    case MMDB_DATA_TYPE_UTF8_STRING: break;
    default: return kBadNumber;
  }
  Bytes text = text_of(value);
  if (text.starts_with("AS")) text.remove_prefix(2);
  return parse_number(text, arena);
}

// Converts a value of a record. Returns nothing if it is empty, or of another type.
template <typename Value>
Value as(const MMDB_entry_data_s &value, Arena *arena) {
  if constexpr (std::is_same_v<Value, Number>) {
    const Number number = number_of(value, arena);
    return is_number(number) ? number : kNoNumber;
  } else {
    return is_text(value) && value.data_size > 0 ? text_of(value) : Bytes();
  }
}

// Returns the first place in which the record has a value that the part may have.
Result<const Place *> place_in(const GeoDatabase &database, u32 record, const Part &part) {
  Arena arena;
  for (const Place &place : kPlaces) {
    if (std::string_view(place.part) != part.name) continue;
    MMDB_entry_data_s value, other;
    Found found = database.read(record, place.path, &value);
    if (found == Found::value && place.beside != nullptr) {
      found = database.read(record, {place.beside}, &other);
    }
    if (found == Found::damage) return database.damaged();
    if (found == Found::nothing) continue;
    const bool fits = part.is_number ? is_number(number_of(value, &arena)) : is_text(value);
    if (fits) return &place;
  }
  return nullptr;
}

// The values of a part, and where they are.
struct Column {
  const GeoDatabase *database;
  const Place *place;
};

// Returns the first database of which a record has the part.
Result<Column> find_column(const GeoDatabases &databases, const Part &part,
                           const std::string &typed) {
  for (const auto &database : databases.all()) {
    const Place *place = nullptr;
    const Result<bool> has = database->any_record([&](u32 record) -> Result<bool> {
      const Result<const Place *> found = place_in(*database, record, part);
      if (!found.is_ok()) return found.status();
      place = *found;
      return place != nullptr;
    });
    if (!has.is_ok()) return has.status();
    if (*has) return Column{database.get(), place};
  }
  std::vector<std::string> names;
  for (const auto &database : databases.all()) {
    names.push_back(fmt::format("{} ({})", database->path(), database->type()));
  }
  return make_error("{}: no record of {} has this part; add a database that has it by {}", typed,
                    fmt::join(names, " or "), setting_name("geo"));
}

// The last values of a thread: addresses repeat, and so do the records of their networks.
template <typename Value>
struct Memory {
  static constexpr size_t kAddresses = 4096, kRecords = 1024, kLongest = 47;
  struct OfAddress {
    u64 column = 0;  // number of the values; 0: none
    Value value = {};
    u8 size = 0;
    std::array<char, kLongest> text;
  };
  struct OfRecord {
    u64 column = 0;
    Value value = {};
    u32 record = 0;
  };
  std::array<OfAddress, kAddresses> addresses;
  std::array<OfRecord, kRecords> records;

  static Memory &of_thread() {
    thread_local const auto memory = std::make_unique<Memory>();
    return *memory;
  }
};

// Wide numbers live as long as their batch only.
bool may_be_kept(Number number) { return number == kNoNumber || is_narrow(number); }
bool may_be_kept(Bytes) { return true; }

template <typename Value>
class Rule {
 public:
  Rule(std::shared_ptr<const GeoDatabases> databases, const Column &column, std::string reason)
      : databases_(std::move(databases)),
        column_(column),
        number_(++numbers),
        not_an_address_(std::move(reason)),
        damaged_(column.database->damaged().message()) {}

  Value operator()(const Here &here, Bytes text) const {
    using Kept = Memory<Value>;
    if (is_absent(text)) return kNothing<Value>;
    if (text.size() > Kept::kLongest) return look_up(here, text).value_or(kNothing<Value>);
    const u64 hash = hash_bytes(text, kFixedSeed) + number_;
    auto &known = Kept::of_thread().addresses[hash % Kept::kAddresses];
    if (known.column == number_ && Bytes(known.text.data(), known.size) == text) {
      return known.value;
    }
    const std::optional<Value> value = look_up(here, text);
    if (!value) return kNothing<Value>;
    if (may_be_kept(*value)) {
      known.column = number_;
      known.value = *value;
      known.size = static_cast<u8>(text.size());
      text.copy(known.text.data(), text.size());
    }
    return *value;
  }

 private:
  // Returns nullopt for a value that is noted.
  std::optional<Value> look_up(const Here &here, Bytes text) const {
    const std::optional<AddressKey> address = first_address(text);
    u32 record = 0;
    if (!address) {
      here.note(text, not_an_address_);
      return {};
    }
    std::optional<Value> value = kNothing<Value>;
    const Found found = column_.database->find(*address, &record);
    if (found == Found::value) value = value_of(record, here.arena());
    if (found == Found::damage || !value) {
      here.note(text, damaged_);
      return {};
    }
    return value;
  }

  // Returns nullopt if the database is damaged.
  std::optional<Value> value_of(u32 record, Arena *arena) const {
    using Kept = Memory<Value>;
    auto &known = Kept::of_thread().records[(record + number_) % Kept::kRecords];
    if (known.column == number_ && known.record == record) return known.value;
    MMDB_entry_data_s data;
    const Found found = column_.database->read(record, column_.place->path, &data);
    if (found == Found::damage) return {};
    const Value value = found == Found::value ? as<Value>(data, arena) : kNothing<Value>;
    if (may_be_kept(value)) known = {number_, value, record};
    return value;
  }

  static inline std::atomic<u64> numbers = 0;

  std::shared_ptr<const GeoDatabases> databases_;
  Column column_;
  u64 number_;  // no other values of this process have it
  std::string not_an_address_, damaged_;
};

const Part *find_part(std::string_view name) {
  const auto *part = std::ranges::find(kParts, name, &Part::name);
  return part == std::end(kParts) ? nullptr : part;
}

// Returns null after an error.
const Part *geo_part(const Expression &call, Compiler *compiler) {
  const std::string name = compiler->constant(call.arguments[1], "a part of a network's record");
  if (!compiler->status().is_ok()) return nullptr;
  if (const Part *part = find_part(name)) return part;
  std::vector<const char *> names;
  for (const Part &part : kParts) names.push_back(part.name);
  return compiler->fail("{}: no part \"{}\"; there are {}", call.typed, name,
                        fmt::join(names, ", "));
}

template <typename Value>
ValuesPtr<Value> make_geo(const Expression &call, Compiler *compiler) {
  const Part *part = geo_part(call, compiler);
  const auto &databases = compiler->clock().geo;
  if (part == nullptr) return nullptr;
  if (databases == nullptr) {
    return compiler->fail(
        "{}: needs a database of networks, such as GeoLite2-City.mmdb; name its file by {}",
        call.typed, setting_name("geo"));
  }
  TextsPtr addresses = compiler->typed_texts(call.arguments[0]);
  if (addresses == nullptr) return nullptr;
  if (databases->are_elsewhere()) return make_nothing<Value>();
  const Result<Column> column = find_column(*databases, *part, call.typed);
  if (!column.is_ok()) return compiler->fail(column.status());
  Rule<Value> rule(databases, *column,
                   reason_not_of_kind(ValueKind::address, call.arguments[0], call));
  return make_values(std::move(rule), std::move(addresses));
}

ValueKind kind_of_part(const Expression &call) {
  const Expression &name = call.arguments[1];
  const bool is_constant = name.kind == Expression::Kind::constant;
  const Part *part = is_constant ? find_part(name.constant.text) : nullptr;
  return part != nullptr && part->is_number ? ValueKind::number : ValueKind::text;
}

constexpr Function kGeoFunctions[] = {
    of_kind_by(kind_of_part, {"geo", "(ADDRESS, PART)", 2, 2, make_geo<Number>, make_geo<Bytes>}),
};

}  // namespace

std::span<const Function> geo_functions() { return kGeoFunctions; }

GeoDatabases::GeoDatabases() = default;
GeoDatabases::~GeoDatabases() = default;

Result<std::shared_ptr<const GeoDatabases>> GeoDatabases::open(
    const std::vector<std::string> &paths) {
  auto databases = std::make_shared<GeoDatabases>();
  for (const std::string &path : paths) {
    auto database = GeoDatabase::open(path);
    if (!database.is_ok()) return database.status();
    databases->all_.push_back(std::move(*database));
  }
  return std::shared_ptr<const GeoDatabases>(std::move(databases));
}

std::shared_ptr<const GeoDatabases> GeoDatabases::elsewhere() {
  return std::make_shared<GeoDatabases>();
}

std::string GeoDatabases::digests() const {
  std::string text;
  for (const auto &database : all_) {
    text += fmt::format("database {} {:016x}\n", database->path(), database->digest());
  }
  return text;
}

}  // namespace mrc
