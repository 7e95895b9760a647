// plugin: a job of a plugin: what map, combine, sort and output ask of it.
#pragma once

#include "combine/aggregates.h"
#include "combine/combine.h"
#include "map/map.h"
#include "output/output.h"
#include "plugin/call.h"
#include "plugin/plugin.h"
#include "plugin/plugin_mapper.h"
#include "plugin/settings.h"
#include "rows/rows.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace mrc {

// A job of a plugin, with the settings that users want. Nothing is opened yet. Immutable.
class PluginJob {
 public:
  PluginJob(std::shared_ptr<const Plugin> plugin, const mrc_job &job, Settings settings,
            const NumberStyle &style = {});

  const mrc_job &functions() const { return job_; }
  const char *version() const { return plugin_->about().version; }
  // Where a call is, for guarded().
  PluginPlace place(const char *function, const char *input = nullptr, i64 offset = -1) const;

  // How records are cut, and keys and values look.
  MapSpec map_spec() const;
  KeyShape key_shape() const;
  // `self` is that of the session; without it, to know the columns. As long as the job lives.
  Aggregation aggregation(const void *self = nullptr) const;
  i64 value_width() const { return width_; }
  bool values_borrow() const;
  // Whether rows of values are followed by two words that order them (row_list.h).
  bool orders_values() const { return orders_values_; }
  bool has_own_splits() const { return job_.shape == MRC_SPLITS; }
  bool has_integer_keys() const { return job_.key_type == MRC_INTEGER; }
  // Whether the mapper is the plugin's; else records are keys.
  bool maps() const { return job_.map != nullptr || job_.shape > MRC_WORDS; }
  // Of rows.
  bool orders() const { return job_.order != nullptr || job_.compare != nullptr; }
  bool formats() const { return job_.format != nullptr; }
  // Whether it looks at all rows when a round ends, in order.
  bool looks_at_rows() const { return job_.round != nullptr || job_.show != nullptr; }

 protected:
  std::shared_ptr<const Plugin> plugin_;
  const mrc_job &job_;
  std::shared_ptr<const Settings> settings_;
  NumberStyle style_;
  bool orders_values_ = false;
  i64 width_ = 0;
};

// The job, open for one run. Thread safe, but for end_round().
class PluginSession : public PluginJob, public CustomOrder {
 public:
  // Error: what `open` says.
  static Result<std::shared_ptr<PluginSession>> open(const PluginJob &job);
  ~PluginSession() override;
  PluginSession(const PluginSession &) = delete;

  void *self() const { return self_; }
  // One for each worker, made by it.
  std::unique_ptr<Mapper> make_mapper(const MapperSurroundings &around) const {
    return make_plugin_mapper(*this, around);
  }

  void append_order(const StateLayout &layout, Bytes key, const State *state,
                    std::string *out) const override;
  bool compares() const override { return job_.compare != nullptr; }
  int compare(Bytes a, Bytes b) const override;
  std::unique_ptr<Formatter> make_formatter(const StateLayout &layout, const RowLayout &rows,
                                            bool header) const;
  // Shows it the rows of what has been mapped so far. On one thread.
  Status show_interim(i64 bytes, std::span<const Row> rows, const StateLayout &layout,
                      const RowLayout &row_layout) const;
  // Whether there is to be another round.
  Result<bool> end_round(i64 number, i64 bytes, std::span<const Row> rows,
                         const StateLayout &layout, const RowLayout &row_layout) const;

 private:
  explicit PluginSession(const PluginJob &job) : PluginJob(job) {}

  void *self_ = nullptr;
  bool opened_ = false;
};

}  // namespace mrc
