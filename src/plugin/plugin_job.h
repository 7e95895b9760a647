// A job of a plugin, as map, combine, sort and output use it.
#pragma once

#include "base/status.h"
#include "combine/aggregates.h"
#include "combine/combine.h"
#include "map/map.h"
#include "mrc_plugin.h"
#include "output/output.h"
#include "plugin/call.h"
#include "plugin/plugin.h"
#include "rows/rows.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace mrc {

// Converts --set NAME=VALUE for the options of a job.

// The values of a job's options, in their order. Owns the texts.
class Settings {
 public:
  // `given`: "NAME=VALUE" each; the last of a name counts. Errors: an unknown name, a value that
  // has another type or is out of bounds, and a missing value.
  static Result<Settings> parse(const mrc_job &job, std::span<const std::string> given);

  Settings(Settings &&) = default;
  Settings &operator=(Settings &&) = default;
  mrc_settings all() const { return {values_.data(), values_.size(), sizeof(mrc_setting)}; }

 private:
  Settings() = default;

  std::vector<std::string> texts_;
  std::vector<mrc_setting> values_;
};

// Reads a number for an option; false: the text is not one. REQUIRES: the option is a number
bool read_number(const mrc_option &option, const std::string &text, mrc_setting *value);
// True if the number is within the option's bounds, if it has any.
bool is_within_bounds(const mrc_option &option, double value);

// Lists the options of a job, a line each, for its help.
std::string describe_options(const mrc_job &job);
// Lists the fields of a job and their types, as in "user, bytes (integer)"; "": it has none.
std::string describe_fields(const mrc_job &job);

// Splits chunks into records, calls the plugin's map, and emits what it emits.

class OwnSplits;
class PluginSession;

// An input as plugins know it.
struct InputView {
  std::string name;
  i64 argument;  // index of the argument; unreadable inputs count, too
};

// The environment of a mapper; all of it must outlive the mapper.
struct MapperSurroundings {
  const Scanner &scanner;
  std::span<const InputView> inputs;  // by source of chunks
  char terminator = '\n';             // of lines
  const OwnSplits *splits = nullptr;  // the splits that are the chunks, if the job makes them
  BadRecordSink *bad = nullptr;       // takes records that map reports; null: drops them
  // For jobs with fields, and the readers of these; else null.
  const FieldsSpec *fields = nullptr;
  const InputReaders *readers = nullptr;
};

// Failures are reported by plugin/call.h: check plugin_failed().
std::unique_ptr<Mapper> make_plugin_mapper(const PluginSession &job,
                                           const MapperSurroundings &around);

// A job of a plugin, as map, combine, sort and output use it.

// A job of a plugin with its settings. It is not open yet. Immutable.
class PluginJob {
 public:
  PluginJob(std::shared_ptr<const Plugin> plugin, const mrc_job &job, Settings settings,
            const NumberStyle &style = {});

  const mrc_job &functions() const { return job_; }
  const char *version() const { return plugin_->about().version; }
  // Describes a call, for guarded().
  PluginPlace place(const char *function, const char *input = nullptr, i64 offset = -1) const;

  // How records are split, and the form of keys and values.
  MapSpec map_spec() const;
  KeyShape key_shape() const;
  // `self`: that of the session; null is enough for the columns. Valid as long as the job lives.
  Aggregation aggregation(const void *self = nullptr) const;
  i64 value_width() const { return width_; }
  bool values_borrow() const;
  // True if the values of a row are followed by two words that order them (row_list.h).
  bool orders_values() const { return orders_values_; }
  bool has_own_splits() const { return job_.shape == MRC_SPLITS; }
  // True if map gets fields of records, as columns of values.
  bool reads_fields() const { return job_.shape == MRC_ROWS; }
  bool has_integer_keys() const { return job_.key_type == MRC_INTEGER; }
  // True if the plugin has the mapper; else records are keys.
  bool maps() const { return job_.map != nullptr || job_.shape > MRC_WORDS; }
  // These concern the rows of the answer.
  bool orders() const { return job_.order != nullptr || job_.compare != nullptr; }
  bool formats() const { return job_.format != nullptr; }
  // True if the job gets all rows, in order, at the end of a round.
  bool looks_at_rows() const { return job_.round != nullptr || job_.show != nullptr; }

 protected:
  std::shared_ptr<const Plugin> plugin_;
  const mrc_job &job_;
  std::shared_ptr<const Settings> settings_;
  NumberStyle style_;
  bool orders_values_ = false;
  i64 width_ = 0;
};

// A job that is open for one run. Thread safe, except for end_round().
class PluginSession : public PluginJob, public CustomOrder {
 public:
  // The error is that of `open`.
  static Result<std::shared_ptr<PluginSession>> open(const PluginJob &job);
  ~PluginSession() override;
  PluginSession(const PluginSession &) = delete;

  void *self() const { return self_; }
  // Each worker makes its own.
  std::unique_ptr<Mapper> make_mapper(const MapperSurroundings &around) const {
    return make_plugin_mapper(*this, around);
  }

  void append_order(const StateLayout &layout, Bytes key, const State *state,
                    std::string *out) const override;
  bool compares() const override { return job_.compare != nullptr; }
  int compare(Bytes a, Bytes b) const override;
  std::unique_ptr<Formatter> make_formatter(const StateLayout &layout, const RowLayout &rows,
                                            bool header) const;
  // Calls `show` with the rows of an interim answer. One thread.
  Status show_interim(i64 bytes, std::span<const Row> rows, const StateLayout &layout,
                      const RowLayout &row_layout) const;
  // Returns true if another round follows.
  Result<bool> end_round(i64 number, i64 bytes, std::span<const Row> rows,
                         const StateLayout &layout, const RowLayout &row_layout) const;

 private:
  explicit PluginSession(const PluginJob &job) : PluginJob(job) {}

  void *self_ = nullptr;
  bool opened_ = false;
};

}  // namespace mrc
