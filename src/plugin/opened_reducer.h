// Reducers with parameters: the constants that follow the fields in tmean(x, 5).
#pragma once

#include "base/status.h"
#include "expr/expression.h"
#include "plugin/call.h"
#include "plugin/plugin.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace mrc {

// Returns how users write a reducer: "wavg(X, Y)", "tmean(X, trim)"; brackets hold parameters with
// a default: "tmean(X[, trim])".
std::string form_of(const mrc_reducer &reducer);

// Returns an error unless there may be that many fields and parameters. `typed` is the call.
Status check_arguments(const Plugin &plugin, const mrc_reducer &reducer, const std::string &typed,
                       size_t fields, size_t parameters);

// A reducer of a plugin, opened with parameters. Closes it in the end.
class OpenedReducer {
 public:
  // Parameters that are not given have their defaults. Errors name the call, which is `typed`.
  // Plugin and reducer must outlive this. REQUIRES: check_arguments() is ok
  static Result<std::shared_ptr<const OpenedReducer>> open(const Plugin &plugin,
                                                           const mrc_reducer &reducer,
                                                           const std::string &typed,
                                                           std::span<const Expression> given);
  ~OpenedReducer();
  OpenedReducer(const OpenedReducer &) = delete;

  const void *self() const { return self_; }
  // Returns what states depend on: "trim=5", a line each.
  std::string text() const;

 private:
  OpenedReducer(const Plugin &plugin, const mrc_reducer &reducer)
      : reducer_(reducer), path_(plugin.path()) {}
  Status set(const Plugin &plugin, const std::string &typed, size_t i, const Expression &given);
  PluginPlace place(const char *function) const {
    return {
        .plugin = path_.c_str(), .what = "reducer", .name = reducer_.name, .function = function};
  }

  const mrc_reducer &reducer_;
  std::string path_;
  std::vector<std::string> texts_;
  std::vector<mrc_setting> values_;
  void *self_ = nullptr;
  bool is_open_ = false;
};

}  // namespace mrc
