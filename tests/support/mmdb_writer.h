// Writes databases of networks in the MaxMind DB format, version 2.0 of its specification.
#pragma once

#include "base/int.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace mrc {

struct MmdbValue {
  enum class Type : u8 {
    text = 2,
    real = 3,
    uint16 = 5,
    uint32 = 6,
    map = 7,
    int32 = 8,
    uint64 = 9,
    array = 11,
    truth = 14,
    single = 15
  };
  using Members = std::vector<std::pair<std::string, MmdbValue>>;

  Type type = Type::map;
  std::string text = {};
  u64 number = 0;
  Members members = {};  // elements of an array have no names

  MmdbValue() = default;
  MmdbValue(const char *the_text) : type(Type::text), text(the_text) {}
  MmdbValue(std::string the_text) : type(Type::text), text(std::move(the_text)) {}
  MmdbValue(Type the_type, u64 the_number) : type(the_type), number(the_number) {}
  MmdbValue(double real) : type(Type::real), number(std::bit_cast<u64>(real)) {}
  MmdbValue(float real) : type(Type::single), number(std::bit_cast<u32>(real)) {}
  MmdbValue(Members the_members) : members(std::move(the_members)) {}
  static MmdbValue u16_of(u64 n) { return {Type::uint16, n}; }
  static MmdbValue u32_of(u64 n) { return {Type::uint32, n}; }
  static MmdbValue array(std::vector<MmdbValue> elements) {
    MmdbValue value;
    value.type = Type::array;
    for (MmdbValue &each : elements) value.members.emplace_back("", std::move(each));
    return value;
  }
};

// A prefix of 4 or 16 bytes.
struct MmdbNetwork {
  std::string address;
  i64 bits;
  MmdbValue record;
};

class MmdbWriter {
 public:
  struct Settings {
    i64 record_size = 24;  // 24, 28 or 32 bits
    i64 ip_version = 6;
    std::string type = "Test-City";
    size_t filler = 0;  // bytes in front of the records, which make pointers longer
  };

  explicit MmdbWriter(Settings settings) : settings_(std::move(settings)) {
    if (settings_.filler > 0) write_plain(std::string(settings_.filler, 'x'), &data_);
  }

  // Returns the file. Longer prefixes win.
  std::string write(std::vector<MmdbNetwork> networks) {
    for (MmdbNetwork &network : networks) {
      if (settings_.ip_version == 4 || network.address.size() > 4) continue;
      network.address.insert(0, 12, '\0');
      network.bits += 96;
    }
    std::ranges::stable_sort(networks, {}, &MmdbNetwork::bits);
    nodes_ = {{kEmpty, kEmpty}};
    for (const MmdbNetwork &network : networks) add(network);
    std::string file;
    for (const Node &node : nodes_) append_node(node, &file);
    file.append(16, '\0');
    return file + data_ + "\xAB\xCD\xEFMaxMind.com" + metadata();
  }

 private:
  using Type = MmdbValue::Type;
  using Node = std::array<i64, 2>;  // a node, or kEmpty, or the place of a record, see record_at()
  static constexpr i64 kEmpty = -1;
  static i64 record_at(size_t offset) { return -2 - static_cast<i64>(offset); }

  static void append_big_endian(u64 number, i64 bytes, std::string *out) {
    for (i64 i = bytes - 1; i >= 0; --i) out->push_back(static_cast<char>(number >> (i * 8)));
  }

  void add(const MmdbNetwork &network) {
    const std::string &address = network.address;
    const i64 bits = network.bits;
    const i64 record = record_at(place_of(network.record));
    size_t node = 0;
    for (i64 i = 0; i < bits; ++i) {
      const auto side = static_cast<size_t>(address[static_cast<size_t>(i / 8)] >> (7 - i % 8) & 1);
      const i64 next = nodes_[node][side];
      if (i + 1 == bits) {
        nodes_[node][side] = record;
      } else if (next < 0) {
        nodes_.push_back({next, next});
        nodes_[node][side] = std::ssize(nodes_) - 1;
      }
      node = static_cast<size_t>(nodes_[node][side]);
    }
  }

  void append_node(const Node &node, std::string *file) const {
    u64 value[2];
    for (size_t side = 0; side < 2; ++side) {
      const i64 to = node[side];
      const i64 count = std::ssize(nodes_);
      value[side] = static_cast<u64>(to >= 0 ? to : to == kEmpty ? count : count + 16 + (-2 - to));
    }
    if (settings_.record_size == 28) {
      append_big_endian(value[0] & 0xFFFFFF, 3, file);
      file->push_back(static_cast<char>((value[0] >> 24) << 4 | value[1] >> 24));
      append_big_endian(value[1] & 0xFFFFFF, 3, file);
      return;
    }
    for (const u64 each : value) append_big_endian(each, settings_.record_size / 8, file);
  }

  // Returns the offset of a record, which is written once.
  size_t place_of(const MmdbValue &record) {
    std::string plain;
    write_plain(record, &plain);
    const auto known = places_.find(plain);
    if (known != places_.end()) return known->second;
    const size_t place = data_.size();
    write_shared(record);
    return places_[plain] = place;
  }

  static void write_head(Type type, size_t size, std::string *out) {
    const auto number = static_cast<u8>(type);
    const size_t shown = size < 29 ? size : size < 285 ? 29 : size < 65821 ? 30 : 31;
    out->push_back(static_cast<char>((number > 7 ? 0 : number << 5) | static_cast<int>(shown)));
    if (number > 7) out->push_back(static_cast<char>(number - 7));
    if (shown == 29) append_big_endian(size - 29, 1, out);
    if (shown == 30) append_big_endian(size - 285, 2, out);
    if (shown == 31) append_big_endian(size - 65821, 3, out);
  }

  // Calls each(name) and each(value) for the members of a map or an array.
  template <typename Each>
  static void write(const MmdbValue &value, std::string *out, Each each) {
    switch (value.type) {
      case Type::map:
      case Type::array:
        write_head(value.type, value.members.size(), out);
        for (const auto &[name, member] : value.members) {
          if (value.type == Type::map) each(MmdbValue(name));
          each(member);
        }
        return;
      case Type::text:
        write_head(value.type, value.text.size(), out);
        *out += value.text;
        return;
      case Type::truth: write_head(value.type, value.number, out); return;
      default: break;
    }
    const i64 bytes = value.type == Type::real     ? 8
                      : value.type == Type::single ? 4
                                                   : (std::bit_width(value.number) + 7) / 8;
    write_head(value.type, static_cast<size_t>(bytes), out);
    append_big_endian(value.number, bytes, out);
  }
  static void write_plain(const MmdbValue &value, std::string *out) {
    write(value, out, [out](const MmdbValue &member) { write_plain(member, out); });
  }

  // Writes a pointer in place of a value that has been written before.
  void write_shared(const MmdbValue &value) {
    std::string plain;
    write_plain(value, &plain);
    const auto known = places_.find(plain);
    if (known != places_.end() && plain.size() > 4) return write_pointer(known->second);
    places_.emplace(plain, data_.size());
    write(value, &data_, [this](const MmdbValue &member) { write_shared(member); });
  }
  void write_pointer(u64 to) {
    constexpr u64 kFirst[] = {0, 2048, 526336, 0};
    const u64 size = to < kFirst[1]                    ? 0
                     : to < kFirst[2]                  ? 1
                     : to < (u64{1} << 27) + kFirst[2] ? 2
                                                       : 3;
    const u64 value = to - kFirst[size];
    const u64 high = size == 3 ? 0 : value >> (8 * (size + 1));
    data_.push_back(static_cast<char>(1 << 5 | size << 3 | high));
    append_big_endian(value, static_cast<i64>(size == 3 ? 4 : size + 1), &data_);
  }

  std::string metadata() const {
    const MmdbValue::Members members = {
        {"binary_format_major_version", MmdbValue::u16_of(2)},
        {"binary_format_minor_version", MmdbValue::u16_of(0)},
        {"build_epoch", {Type::uint64, 1793491200}},
        {"database_type", settings_.type},
        {"description", MmdbValue::Members{{"en", "Made-up networks for tests"}}},
        {"ip_version", MmdbValue::u16_of(static_cast<u64>(settings_.ip_version))},
        {"languages", MmdbValue::array({"en"})},
        {"node_count", MmdbValue::u32_of(nodes_.size())},
        {"record_size", MmdbValue::u16_of(static_cast<u64>(settings_.record_size))},
    };
    std::string text;
    write_plain(members, &text);
    return text;
  }

  const Settings settings_;
  std::vector<Node> nodes_;
  std::string data_;
  std::map<std::string, size_t> places_;  // by what is written without pointers
};

}  // namespace mrc
