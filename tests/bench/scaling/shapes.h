// Inputs whose keys have a shape that is known to be hard for hashing, sorting or spilling.
#pragma once

#include "base/int.h"

#include <map>
#include <mutex>
#include <span>
#include <string>
#include <string_view>

namespace bench {

using mrc::i64;
using mrc::u64;

struct Shape {
  const char *name;
  const char *what;
  i64 bytes;  // about so many in a record
};

// All shapes. The first has one key only, and values and numbers that differ.
std::span<const Shape> shapes();
// The shape of this name, or nullptr.
const Shape *find_shape(std::string_view name);

// How a record is written; VALUE and NUMBER differ in all records, unless the shape says otherwise.
//   fields   KEY, VALUE, NUMBER, one of three groups, login or logout, with tabs between them
//   counts   KEY, VALUE, NUMBER, with tabs between them
//   keys     KEY, NUMBER: each key that `fields` may have, once
//   ratings  KEY:USER_RATING,USER_RATING,USER_RATING
//   pairs    KEY,VALUE
constexpr std::string_view kLayouts[] = {"fields", "counts", "keys", "ratings", "pairs"};

// Files of a directory, which are made when they are first asked for, and removed at the end.
// Any thread.
class Inputs {
 public:
  explicit Inputs(std::string directory);
  ~Inputs();
  Inputs(const Inputs &) = delete;
  Inputs &operator=(const Inputs &) = delete;

  const std::string &directory() const { return directory_; }
  // The path of a file with so many records. The same arguments give the same bytes on all
  // machines.
  std::string file(const Shape &shape, std::string_view layout, i64 records);

 private:
  std::string directory_;
  std::mutex lock_;
  std::map<std::string, std::once_flag> made_;
};

}  // namespace bench
