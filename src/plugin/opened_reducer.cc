#include "plugin/opened_reducer.h"

#include "plugin/plugin_job.h"

#include <fmt/format.h>

namespace mrc {
namespace {

size_t needed(const mrc_options &parameters) {
  size_t count = 0;
  while (count < parameters.count && parameters.at[count].initial == nullptr) ++count;
  return count;
}

const char *kind_of_parameter(mrc_type type) {
  return type == MRC_INTEGER ? "an integer" : type == MRC_REAL ? "a number" : "text in quotes";
}

// Returns an error that names the call, the argument and the parameter.
Status refused(const Plugin &plugin, const mrc_reducer &reducer, const mrc_option &parameter,
               const std::string &typed, const std::string &fault) {
  return Status::error(fmt::format("{}: {}; it is the parameter {} of {}, from the plugin {}: {}",
                                   typed, fault, parameter.name, form_of(reducer),
                                   plugin.about().name, parameter.help));
}

}  // namespace

std::string form_of(const mrc_reducer &reducer) {
  std::string form = fmt::format("{}(", reducer.name);
  for (size_t i = 0; i < reducer.value_count; ++i) {
    form += (i > 0 ? ", " : "") +
            (reducer.value_count > 3 ? fmt::format("X{}", i + 1) : std::string(1, "XYZ"[i]));
  }
  const mrc_options &parameters = reducer.parameters;
  const size_t least = needed(parameters);
  for (size_t i = 0; i < parameters.count; ++i) {
    const char *comma = reducer.value_count + i > 0 ? ", " : "";
    form += fmt::format("{}{}{}", i >= least ? "[" : "", comma, parameters.at[i].name);
  }
  return form.append(parameters.count - least, ']') + ")";
}

Status check_arguments(const Plugin &plugin, const mrc_reducer &reducer, const std::string &typed,
                       size_t fields, size_t parameters) {
  const bool fits = fields == reducer.value_count && parameters <= reducer.parameters.count &&
                    parameters >= needed(reducer.parameters);
  if (fits) return Status::ok();
  const size_t count = fields + parameters;
  return Status::error(fmt::format("{} has {} argument{}; {}, from the plugin {}, takes {}", typed,
                                   count, count == 1 ? "" : "s", reducer.name, plugin.about().name,
                                   form_of(reducer)));
}

Status OpenedReducer::set(const Plugin &plugin, const std::string &typed, size_t i,
                          const Expression &given) {
  const mrc_option &parameter = reducer_.parameters.at[i];
  const auto error = [&](const std::string &fault) {
    return refused(plugin, reducer_, parameter, typed, fault);
  };
  const bool is_text = parameter.type == MRC_TEXT;
  mrc_setting *value = &values_[i];
  texts_[i] = given.constant.text;
  const bool fits = given.is_constant(is_text ? ValueKind::text : ValueKind::number) &&
                    (is_text || read_number(parameter, texts_[i], value));
  if (!fits) {
    return error(fmt::format("{} is not {}", given.typed, kind_of_parameter(parameter.type)));
  }
  if (is_text || is_within_bounds(parameter, value->real)) return Status::ok();
  return error(
      fmt::format("{} is not between {} and {}", given.typed, parameter.least, parameter.most));
}

Result<std::shared_ptr<const OpenedReducer>> OpenedReducer::open(
    const Plugin &plugin, const mrc_reducer &reducer, const std::string &typed,
    std::span<const Expression> given) {
  std::shared_ptr<OpenedReducer> opened(new OpenedReducer(plugin, reducer));
  const size_t count = reducer.parameters.count;
  opened->texts_.resize(count);
  opened->values_.resize(count);
  for (size_t i = 0; i < count; ++i) {
    const mrc_option &parameter = reducer.parameters.at[i];
    std::string &text = opened->texts_[i];
    if (i < given.size()) {
      Status status = opened->set(plugin, typed, i, given[i]);
      if (!status.is_ok()) return status;
    } else {
      text = parameter.initial;
      if (parameter.type != MRC_TEXT) read_number(parameter, text, &opened->values_[i]);
    }
    opened->values_[i].text = {text.c_str(), text.size()};
  }
  const mrc_settings all{opened->values_.data(), count, sizeof(mrc_setting)};
  guarded(opened->place("open"), [&] { return reducer.open(plugin_host(), all, &opened->self_); });
  if (Status status = plugin_status(); !status.is_ok()) {
    forget_plugin_failure();
    return status.within(typed);
  }
  opened->is_open_ = true;
  return std::shared_ptr<const OpenedReducer>(opened);
}

OpenedReducer::~OpenedReducer() {
  if (is_open_ && reducer_.close != nullptr)
    guarded(place("close"), [&] { reducer_.close(self_); });
}

std::string OpenedReducer::text() const {
  std::string text;
  for (size_t i = 0; i < texts_.size(); ++i) {
    text += fmt::format("{}={}\n", reducer_.parameters.at[i].name, texts_[i]);
  }
  return text;
}

}  // namespace mrc
