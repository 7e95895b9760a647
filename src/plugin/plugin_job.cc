#include "plugin/plugin_job.h"

#include "base/names.h"
#include "base/setting_name.h"
#include "base/typed_text.h"
#include "combine/integers.h"
#include "plugin/plugin_rows.h"
#include "plugin/reduction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace mrc {
namespace {

std::span<const mrc_option> options_of(const mrc_job &job) {
  return {job.options.at, job.options.count};
}

const char *name_of_value(mrc_type type) {
  return type == MRC_INTEGER ? "an integer" : type == MRC_REAL ? "a number" : "a text";
}

Status read_value(const mrc_option &option, const std::string &text, mrc_setting *value) {
  value->text = {text.c_str(), text.size()};
  if (option.type == MRC_TEXT) return Status::ok();
  if (!read_number(option, text, value)) {
    return Status::error(fmt::format("{} {}: \"{}\" is not {}", setting_name("set"), option.name,
                                     text, name_of_value(option.type)));
  }
  if (is_within_bounds(option, value->real)) return Status::ok();
  return Status::error(fmt::format("{} {}: {} is not between {} and {}", setting_name("set"),
                                   option.name, text, option.least, option.most));
}

Status unknown_option(const mrc_job &job, const std::string &name) {
  std::vector<std::string> names;
  for (const mrc_option &option : options_of(job)) names.push_back(option.name);
  if (names.empty()) {
    return Status::error(
        fmt::format("{} {}: {} has no options", setting_name("set"), name, job.name));
  }
  return Status::error(fmt::format("{} {}: {} has no such option{}; see mrc help {}",
                                   setting_name("set"), name, job.name, did_you_mean(name, names),
                                   job.name));
}

}  // namespace

bool read_number(const mrc_option &option, const std::string &text, mrc_setting *value) {
  if (option.type == MRC_REAL) return read_number(text, &value->real) && std::isfinite(value->real);
  if (!read_number(text, &value->integer)) return false;
  value->real = static_cast<double>(value->integer);
  return true;
}

bool is_within_bounds(const mrc_option &option, double value) {
  return option.least >= option.most || (value >= option.least && value <= option.most);
}

Result<Settings> Settings::parse(const mrc_job &job, std::span<const std::string> given) {
  const std::span<const mrc_option> options = options_of(job);
  Settings settings;
  std::vector<bool> set(options.size());
  settings.texts_.resize(options.size());
  for (const std::string &item : given) {
    const size_t sign = item.find('=');
    if (sign == std::string::npos) {
      return Status::error(fmt::format("{} {}: needs NAME=VALUE", setting_name("set"), item));
    }
    const std::string name = item.substr(0, sign);
    size_t i = 0;
    while (i < options.size() && name != options[i].name) ++i;
    if (i == options.size()) return unknown_option(job, name);
    settings.texts_[i] = item.substr(sign + 1);
    set[i] = true;
  }
  settings.values_.resize(options.size());
  for (size_t i = 0; i < options.size(); ++i) {
    if (!set[i] && options[i].initial == nullptr) {
      return Status::about(job.name, fmt::format("needs {} {}=VALUE: {}", setting_name("set"),
                                                 options[i].name, options[i].help));
    }
    if (!set[i]) settings.texts_[i] = options[i].initial;
    Status status = read_value(options[i], settings.texts_[i], &settings.values_[i]);
    if (!status.is_ok()) return status;
  }
  return settings;
}

std::string describe_options(const mrc_job &job) {
  std::string text;
  for (const mrc_option &option : options_of(job)) {
    const std::string initial =
        option.initial == nullptr ? "must be given" : fmt::format("default: {}", option.initial);
    text += fmt::format("  {} {:<20} {}; {}\n", setting_name("set"),
                        fmt::format("{}=VALUE", option.name),
                        option.help == nullptr ? "" : option.help, initial);
  }
  return text;
}

std::string describe_fields(const mrc_job &job) {
  std::string text;
  for (const mrc_field &field : std::span(job.fields.at, job.fields.count)) {
    const char *type = field.type == MRC_INTEGER ? " (integer)"
                       : field.type == MRC_REAL  ? " (number)"
                       : field.type == MRC_TIME  ? " (time)"
                                                 : "";
    text += fmt::format("{}{}{}", text.empty() ? "" : ", ", field.name, type);
  }
  return text;
}

namespace {

std::span<const mrc_reduction> reductions_of(const mrc_job &job) {
  return {job.reductions.at, job.reductions.count};
}

// REQUIRES: the loader has checked that it has a reducer
const Reducer *reducer_of(const mrc_reduction &reduction) {
  return reduction.reducer != nullptr ? reduction.reducer : builtin_reducer(reduction.builtin);
}

}  // namespace

PluginJob::PluginJob(std::shared_ptr<const Plugin> plugin, const mrc_job &job, Settings settings,
                     const NumberStyle &style)
    : plugin_(std::move(plugin)),
      job_(job),
      settings_(std::make_shared<Settings>(std::move(settings))),
      style_(style) {
  for (const mrc_reduction &reduction : reductions_of(job)) {
    orders_values_ = orders_values_ || keeps_values(*reducer_of(reduction));
  }
  width_ = static_cast<i64>(job.value_count) + (orders_values_ ? 2 : 0);
}

Result<std::shared_ptr<PluginSession>> PluginSession::open(const PluginJob &job) {
  std::shared_ptr<PluginSession> opened(new PluginSession(job));
  const mrc_job &functions = opened->job_;
  if (functions.open != nullptr) {
    guarded(opened->place("open"), [&] {
      return functions.open(plugin_host(), opened->settings_->all(), &opened->self_);
    });
  }
  if (Status status = plugin_status(); !status.is_ok()) return status;
  opened->opened_ = true;
  return opened;
}

PluginSession::~PluginSession() {
  if (opened_ && job_.close != nullptr) {
    guarded(place("close"), [&] { job_.close(self_); });
  }
}

PluginPlace PluginJob::place(const char *function, const char *input, i64 offset) const {
  return {.plugin = plugin_->path().c_str(),
          .what = "job",
          .name = job_.name,
          .function = function,
          .input = input,
          .offset = offset};
}

MapSpec PluginJob::map_spec() const {
  MapSpec spec;
  spec.records = job_.shape == MRC_WORDS ? MapSpec::Records::words : MapSpec::Records::lines;
  spec.record_bytes = job_.shape == MRC_FIXED ? job_.record_bytes : 0;
  return spec;
}

KeyShape PluginJob::key_shape() const {
  return {{{job_.key_name == nullptr ? "key" : job_.key_name, has_integer_keys()}}};
}

Aggregation PluginJob::aggregation(const void *self) const {
  if (job_.reductions.count == 0) return count_aggregation();
  Aggregation aggregation;
  for (const mrc_reduction &reduction : reductions_of(job_)) {
    add_reduction({.reducer = reducer_of(reduction),
                   .value = reduction.value,
                   .position = static_cast<i64>(job_.value_count),
                   .context = self,
                   .name = reduction.name == nullptr ? "" : reduction.name,
                   .integer_keys = has_integer_keys(),
                   .style = style_,
                   .place = place("")},
                  &aggregation);
  }
  return aggregation;
}

bool PluginJob::values_borrow() const {
  const std::span<const mrc_type> types(job_.values, job_.value_count);
  return std::find(types.begin(), types.end(), MRC_TEXT) != types.end();
}

void PluginSession::append_order(const StateLayout &layout, Bytes key, const State *state,
                                 std::string *out) const {
  if (job_.order == nullptr && !has_integer_keys()) {
    out->append(key);
    return;
  }
  RowViews views(layout, key_shape(), Notation::exact);
  views.add(key, state);
  if (job_.order == nullptr) {
    out->append(views.rows().at->key.data, views.rows().at->key.size);
    return;
  }
  TextOut written(out);
  guarded(place("order"), [&] { job_.order(self_, views.rows().at, &written); });
}

// Any result is valid here, unlike that of other functions, so it is not returned to guarded().
int PluginSession::compare(Bytes a, Bytes b) const {
  int order = 0;
  guarded(place("compare"),
          [&] { order = job_.compare(self_, {a.data(), a.size()}, {b.data(), b.size()}); });
  return order;
}

Status PluginSession::show_interim(i64 bytes, std::span<const Row> rows, const StateLayout &layout,
                                   const RowLayout &row_layout) const {
  RowViews views(layout, key_shape(), Notation::exact);
  for (const Row &row : rows) views.add(row_layout.payload(row), row_layout.state(row));
  const mrc_progress progress{sizeof progress, 0, 0, bytes};
  guarded(place("show"), [&] { job_.show(self_, &progress, views.rows()); });
  return plugin_status();
}

Result<bool> PluginSession::end_round(i64 number, i64 bytes, std::span<const Row> rows,
                                      const StateLayout &layout,
                                      const RowLayout &row_layout) const {
  RowViews views(layout, key_shape(), Notation::exact);
  for (const Row &row : rows) views.add(row_layout.payload(row), row_layout.state(row));
  bool again = false;
  if (job_.round != nullptr) {
    const int verdict =
        guarded(place("round"), [&] { return job_.round(self_, number, views.rows()); }, MRC_AGAIN);
    again = verdict == MRC_AGAIN;
  }
  if (job_.show != nullptr && !plugin_failed()) {
    const mrc_progress progress{sizeof progress, again ? 0u : 1u, number, bytes};
    guarded(place("show"), [&] { job_.show(self_, &progress, views.rows()); });
  }
  if (Status status = plugin_status(); !status.is_ok()) return status;
  return again;
}

std::unique_ptr<Formatter> PluginSession::make_formatter(const StateLayout &layout,
                                                         const RowLayout &rows, bool header) const {
  return make_plugin_formatter(*this, layout, rows, header);
}

}  // namespace mrc
