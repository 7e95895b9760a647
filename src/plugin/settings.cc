#include "plugin/settings.h"

#include "base/names.h"
#include "base/setting_name.h"
#include "base/typed_text.h"

#include <fmt/format.h>

#include <cmath>

namespace mrc {
namespace {

std::span<const mrc_option> options_of(const mrc_job &job) {
  return {job.options.at, job.options.count};
}

const char *type_name(mrc_type type) {
  return type == MRC_INTEGER ? "an integer" : type == MRC_REAL ? "a number" : "a text";
}

Status read_value(const mrc_option &option, const std::string &text, mrc_setting *value) {
  value->text = {text.c_str(), text.size()};
  if (option.type == MRC_TEXT) return Status::ok();
  if (!read_number(option, text, value)) {
    return Status::error(fmt::format("{} {}: \"{}\" is not {}", setting_name("set"), option.name,
                                     text, type_name(option.type)));
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

}  // namespace mrc
