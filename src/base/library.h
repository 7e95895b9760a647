// Libraries that few jobs need. They are loaded when they are first used, so that others neither
// wait for them nor need their packages.
#pragma once

#include "base/status.h"

namespace mrc {

// A library that stays loaded until the process ends.
class Library {
 public:
  // Loads a shared library by its file name. If there is none, the error names the package that has
  // it.
  static Result<Library> load(const char *file, const char *package);

  // Sets *function to the function of this name; false if the library has none.
  template <typename Function>
  bool find(const char *name, Function **function) const {
    *function = reinterpret_cast<Function *>(address_of(name));
    return *function != nullptr;
  }

 private:
  explicit Library(void *handle) : handle_(handle) {}
  void *address_of(const char *name) const;

  void *handle_;
};

}  // namespace mrc
