#include "base/library.h"

#include <dlfcn.h>

#include <string>

namespace mrc {

Result<Library> Library::load(const char *file, const char *package) {
  void *const handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (handle != nullptr) return Library(handle);
  return Status::error(std::string("there is no ") + file +
                       " on this machine; install the package " + package);
}

void *Library::address_of(const char *name) const { return dlsym(handle_, name); }

}  // namespace mrc
