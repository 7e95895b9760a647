// A database of networks in the MaxMind DB format: a tree of the bits of addresses, whose leaves
// refer to records. It is mapped into memory, and may be damaged: the library checks all offsets.
#pragma once

#include "base/status.h"
#include "kinds/address.h"

#include <maxminddb.h>

#include <array>
#include <functional>
#include <memory>
#include <string>

namespace mrc {

class GeoDatabase {
 public:
  // Names of members, and numbers of elements of arrays, to a value in a record. Null ends them.
  using Path = std::array<const char *, 6>;
  enum class Found { nothing, value, damage };

  static Result<std::unique_ptr<const GeoDatabase>> open(const std::string &path);
  ~GeoDatabase();
  GeoDatabase(const GeoDatabase &) = delete;
  GeoDatabase &operator=(const GeoDatabase &) = delete;

  const std::string &path() const { return path_; }
  // Returns what the database says that it is, such as GeoLite2-City.
  std::string type() const { return mmdb_.metadata.database_type; }
  Status damaged() const { return Status::error(path_ + ": the database is damaged"); }

  // Finds the record of the network that an address is in.
  Found find(const AddressKey &address, u32 *record) const;
  // Finds a value of a record. Strings live as long as the database, and may be over-read by
  // kPadding bytes.
  Found read(u32 record, const Path &path, MMDB_entry_data_s *value) const;
  // Returns whether holds(record) is true for a record. Asks until it is, in the order of the tree.
  Result<bool> any_record(const std::function<Result<bool>(u32)> &holds) const;
  // Returns a hash of the file.
  u64 digest() const;

 private:
  explicit GeoDatabase(std::string path) : path_(std::move(path)) {}
  Status open();
  Status check() const;

  const std::string path_;
  MMDB_s mmdb_ = {};
  bool is_open_ = false;
};

}  // namespace mrc
