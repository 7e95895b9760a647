// Converts the tables of a plugin into a Plugin.
#pragma once

#include "plugin/inner/sized.h"
#include "plugin/plugin.h"

#include <map>

namespace mrc {

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
