#include "cmd/config_file.h"

#include "base/text.h"
#include "cmd/parse.h"

#include <errno.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string_view>

namespace mrc {
namespace {

constexpr const char *kVariable = "MRC_CONFIG_PATH";
// Options that change how a command runs and looks, but no answer.
constexpr std::string_view kAllowed[] = {"--color", "--threads", "--memory", "--tmpdir",
                                         "--progress"};

// Checks the value as if it was typed.
Status check_option(const ConfiguredOption &option) {
  if (std::ranges::find(kAllowed, option.name) == std::end(kAllowed)) {
    return Status::error(
        fmt::format("{} cannot be set here; {} can", option.name, fmt::join(kAllowed, ", ")));
  }
  const Verb &verb = *find_verb("run");  // which has all of them
  Ask unused;
  if (option.value.empty()) return Status::error(option.name + " needs a value");
  const Status status = parse(verb, {option.name, option.value}, &unused);
  const std::string prefix = fmt::format("{}: ", verb.name);
  return status.is_ok() ? status : Status::error(status.message().substr(prefix.size()));
}

// True if the word is one of these names, or has its value in it: -j4, --threads=4.
bool is_typed(const std::string &word, const std::vector<std::string> &names) {
  return std::ranges::any_of(names, [&](const std::string &name) {
    const bool is_short = !name.starts_with("--");
    return word == name || word.starts_with(is_short ? name : name + "=");
  });
}

// True if the command may print records, in which colors are refused, and no table.
bool may_refuse_colors(const std::vector<std::string> &words) {
  const auto has = [&](const char *word) { return std::ranges::find(words, word) != words.end(); };
  return (has("select") || has("join") || has("--head")) && !has("table") && !has("markdown");
}

// True if each verb of a later stage of a chain has the option, which is for one of the stages.
bool have_all_stages(const std::vector<std::string> &words, const std::string &option) {
  for (size_t i = 1; i + 1 < words.size(); ++i) {
    const Verb *verb = words[i] == "then" ? find_verb(words[i + 1]) : nullptr;
    if (verb != nullptr && find_option(*verb, option) == nullptr) return false;
  }
  return true;
}

Result<std::string> read_configuration(const std::string &path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(file)), {});
  if (!file.is_open() || file.bad()) return Status::from_errno(path, errno == 0 ? EIO : errno);
  return text;
}

}  // namespace

Result<std::vector<ConfiguredOption>> read_configured_options(const std::string &text,
                                                              const std::string &path) {
  std::vector<ConfiguredOption> options;
  i64 number = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line =
        without_spaces_around(std::string_view(text).substr(at, end - at));
    at = end + 1;
    ++number;
    if (line.empty() || line.starts_with('#')) continue;
    const size_t name = std::min(line.find_first_of(" \t="), line.size());
    const std::string_view value = line.substr(std::min(name + 1, line.size()));
    options.push_back({std::string(line.substr(0, name)), std::string(without_spaces_around(value)),
                       fmt::format("{}:{}", path, number)});
    Status status = check_option(options.back());
    if (!status.is_ok()) return status.within(options.back().place);
  }
  return options;
}

Status add_configured_options(std::vector<std::string> *arguments) {
  const char *path = std::getenv(kVariable);
  if (path == nullptr || *path == '\0' || arguments->empty()) return Status::ok();
  const std::string &name = arguments->front();
  // Any other verb is the job of a plugin.
  const Verb *verb = find_verb(name);
  if (name.starts_with('-') || (verb != nullptr && !verb->is_job())) return Status::ok();
  const Result<std::string> text = read_configuration(path);
  if (!text.is_ok()) return text.status().within(kVariable);
  const auto options = read_configured_options(*text, path);
  if (!options.is_ok()) return options.status().within(kVariable);
  std::vector<std::string> added;
  for (const ConfiguredOption &option : *options) {
    const Verb &of = verb == nullptr ? *find_verb("run") : *verb;
    const Option *known = find_option(of, option.name);
    const bool is_color = option.name == "--color" && option.value == "always";
    if (known == nullptr || !have_all_stages(*arguments, option.name)) continue;
    if (is_color && may_refuse_colors(*arguments)) continue;
    const std::vector<std::string> names = option_names(of, *known);
    const auto is_it = [&](const std::string &word) { return is_typed(word, names); };
    if (std::ranges::any_of(*arguments, is_it)) continue;
    added.insert(added.end(), {option.name, option.value});
  }
  arguments->insert(arguments->begin() + 1, added.begin(), added.end());
  return Status::ok();
}

}  // namespace mrc
