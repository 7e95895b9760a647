// Rejects reducers that cannot work before they are used.
#include "plugin/read_plugin.h"

#include <cctype>

namespace mrc {
namespace {

constexpr int64_t kLargestState = 1 << 20;  // for one key; larger states belong in the arena

Status check_functions(const mrc_reducer &reducer, const std::string &what) {
  const bool folds = reducer.add != nullptr || reducer.merge != nullptr;
  const bool ordered = (reducer.flags & MRC_ORDERED) != 0;
  if (reducer.reduce != nullptr && folds) {
    return Status::error(what + " has reduce, which is in place of add and merge, and one of them");
  }
  if (reducer.combine != nullptr && reducer.reduce == nullptr) {
    return Status::error(what + " has combine, but no reduce");
  }
  if (reducer.reduce != nullptr) return Status::ok();
  if (reducer.add == nullptr) return Status::error(what + " has no add");
  if (reducer.merge == nullptr && !ordered) {
    return Status::error(what + " has no merge, and is not MRC_ORDERED");
  }
  if ((reducer.save == nullptr) != (reducer.load == nullptr)) {
    return Status::error(what + " has one of save and load, but not the other");
  }
  if (reducer.destroy != nullptr && reducer.save == nullptr && !ordered) {
    return Status::error(what + " has destroy, but not save and load, which move what it owns");
  }
  return Status::ok();
}

Status check_state(const mrc_reducer &reducer, const std::string &what) {
  if (reducer.reduce != nullptr) return Status::ok();
  const int64_t bytes = reducer.state_bytes;
  if (bytes <= 0 || bytes % 8 != 0 || bytes > kLargestState) {
    return Status::error(what + " has state_bytes " + std::to_string(bytes) +
                         "; they are a multiple of 8, and at most 1 MiB");
  }
  return Status::ok();
}

Status check_columns(const mrc_reducer &reducer, const std::string &what) {
  const size_t count = reducer.columns.count;
  if (reducer.reduce != nullptr) {
    // Only the name of the column is used.
    return count <= 1 ? Status::ok() : Status::error(what + " has reduce, which makes one column");
  }
  if (count == 0) return Status::error(what + " has no columns");
  for (size_t i = 0; i < count; ++i) {
    const mrc_column &column = reducer.columns.at[i];
    const std::string which = what + ": column " + std::to_string(i);
    if (column.name == nullptr || *column.name == '\0')
      return Status::error(which + " has no name");
    const int shown =
        (column.integer != nullptr) + (column.real != nullptr) + (column.text != nullptr);
    if (shown != 1) {
      return Status::error(which + " has " + std::to_string(shown) +
                           " of the functions integer, real and text; it needs one");
    }
  }
  return Status::ok();
}

}  // namespace

const char *fault_of_name(const char *name) {
  if (name == nullptr || *name == '\0') return "is missing";
  for (const char *c = name; *c != '\0'; ++c) {
    const bool word = std::isalnum(static_cast<unsigned char>(*c)) != 0 || *c == '_';
    if (!word && (*c != '-' || c == name))
      return "has other characters than letters, digits, _ and -";
  }
  return nullptr;
}

Status check_reducer(const mrc_reducer &reducer, const std::string &what) {
  if ((reducer.flags & ~MRC_ORDERED) != 0) {
    return Status::error(what + " has flags that this mrc does not know");
  }
  for (size_t i = 0; i < reducer.value_count; ++i) {
    if (reducer.values == nullptr) return Status::error(what + " has values, but they are NULL");
    if (reducer.values[i] > MRC_REAL)
      return Status::error(what + " has a value of an unknown type");
  }
  if (Status status = check_functions(reducer, what); !status.is_ok()) return status;
  if (Status status = check_state(reducer, what); !status.is_ok()) return status;
  return check_columns(reducer, what);
}

}  // namespace mrc
