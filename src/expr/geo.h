// Databases of networks (--geo), in which geo() in expressions looks up addresses.
#pragma once

#include "base/status.h"

#include <memory>
#include <string>
#include <vector>

namespace mrc {

class GeoDatabase;

// Immutable, thread safe.
class GeoDatabases {
 public:
  static Result<std::shared_ptr<const GeoDatabases>> open(const std::vector<std::string> &paths);
  // Returns no databases. They stand for those of other processes, whose states are merged: no
  // address is looked up.
  static std::shared_ptr<const GeoDatabases> elsewhere();

  GeoDatabases();
  ~GeoDatabases();
  GeoDatabases(const GeoDatabases &) = delete;
  GeoDatabases &operator=(const GeoDatabases &) = delete;

  const std::vector<std::unique_ptr<const GeoDatabase>> &all() const { return all_; }
  bool are_elsewhere() const { return all_.empty(); }
  // Returns a line for each database with a hash of its content. Reads all of it.
  std::string digests() const;

 private:
  std::vector<std::unique_ptr<const GeoDatabase>> all_;
};

}  // namespace mrc
