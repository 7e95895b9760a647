// Converts the tables of a plugin into a Plugin, whatever header it was built with.
#pragma once

#include "base/status.h"
#include "plugin/plugin.h"

#include <cstddef>
#include <cstring>
#include <map>
#include <string>

namespace mrc {

// Converts structs of other versions of the plugin header, which grow.
//
// Every struct has the size that it had when it was compiled. A smaller one comes from an older
// header: missing members are zero, which is the default. A larger one comes from a newer header:
// it is equal to ours if all its additional bytes are zero; otherwise the plugin uses something
// that this mrc does not know.

// No struct of any header is larger.
constexpr size_t kLargestStruct = 1 << 16;

// `first`: its size in the first header. `what`: its name in messages, "job kmeans".
template <typename T>
Status copy_sized(const void *from, size_t size, size_t first, const std::string &what, T *to) {
  if (size < first || size > kLargestStruct) {
    return Status::error(what + " says that its size is " + std::to_string(size) +
                         "; it is at least " + std::to_string(first) +
                         ": begin it with sizeof of its type");
  }
  *to = T{};
  memcpy(static_cast<void *>(to), from, size < sizeof(T) ? size : sizeof(T));
  const auto *bytes = static_cast<const unsigned char *>(from);
  for (size_t i = sizeof(T); i < size; ++i) {
    if (bytes[i] == 0) continue;
    return Status::error(what + " uses what this mrc does not have: it is built for a newer one");
  }
  return Status::ok();
}

// Converts the tables of a plugin into a Plugin.

// Copies the structs of a plugin and checks them. Copies are never freed, because running jobs
// point to them. Errors do not name the file.
class PluginReader {
 public:
  PluginReader(const mrc_plugin *raw, std::string path);
  Result<std::shared_ptr<const Plugin>> read();

 private:
  Status read_about();
  Status read_jobs();
  Status read_reducers();
  Status read_reader();
  Result<const mrc_job *> job(const void *raw);
  Result<const mrc_reducer *> reducer(const void *raw);
  template <typename Array, typename T>
  Status copy_array(const std::string &what, const T *at, size_t first, Array *array);
  Status fill_reductions(mrc_job *job, const std::string &what);

  const mrc_plugin *raw_;
  std::shared_ptr<Plugin> plugin_ = std::make_shared<Plugin>();
  std::map<const void *, const mrc_reducer *> copies_;  // reducers that several jobs share
};

// These check structs of full size. `what` names them in messages: "job kmeans".
Status check_job(const mrc_job &job, const std::string &what);
Status check_reducer(const mrc_reducer &reducer, const std::string &what);
// Returns null if the name can be typed as a word of a command; else what is wrong.
const char *fault_of_name(const char *name);

}  // namespace mrc
