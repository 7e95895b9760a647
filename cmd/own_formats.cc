#include "cmd/own_formats.h"

#include "base/names.h"
#include "base/text.h"
#include "fields/pattern.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>

namespace mrc {
namespace {

constexpr std::string_view kPattern = "pattern:";

std::string environment(const char *name) {
  const char *value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Returns "" if there is no such file.
Result<std::string> read_formats(const std::string &path) {
  const std::unique_ptr<FILE, int (*)(FILE *)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file) {
    const int error = errno;
    if (error == ENOENT || error == ENOTDIR) return std::string();
    return Status::from_errno(path, error);
  }
  std::string text;
  std::array<char, 4096> part;
  while (const size_t size = std::fread(part.data(), 1, part.size(), file.get())) {
    text.append(part.data(), size);
  }
  if (std::ferror(file.get()) != 0) return Status::from_errno(path, errno);
  return text;
}

Status check_own_name(const std::string &name, const std::string &pattern) {
  if (pattern.empty()) return Status::error(name + " has no pattern: write one after its name");
  const Result<Pattern> compiled = Pattern::compile(pattern);
  return compiled.is_ok() ? Status::ok() : compiled.status();
}

}  // namespace

const char *format_choices() {
  static const std::string choices = [] {
    std::string names = "auto";
    for (const LineFormat *format : line_formats()) {
      names += "|" + std::string(format->name) + (format == &LineFormat::pattern ? ":" : "");
    }
    return names;
  }();
  return choices.c_str();
}

Status choose_input(const std::string &choice, FormatSpec *spec) {
  spec->pattern.clear();
  if (choice.starts_with(kPattern)) {
    spec->format = &LineFormat::pattern;
    spec->pattern = choice.substr(kPattern.size());
    const Result<Pattern> pattern = Pattern::compile(spec->pattern);
    return pattern.is_ok() ? Status::ok() : pattern.status();
  }
  spec->format = find_named<LineFormat>(line_formats(), choice);  // null for auto
  return Status::ok();
}

std::string own_formats_path() {
  const std::string config = environment("XDG_CONFIG_HOME"), home = environment("HOME");
  if (config.starts_with('/')) return config + "/mrc/formats";
  return home.empty() ? "" : home + "/.config/mrc/formats";
}

Result<std::string> find_own_format(std::string_view text, const std::string &path,
                                    const std::string &name) {
  for (i64 number = 1; !text.empty(); ++number) {
    const size_t end = std::min(text.find('\n'), text.size());
    const Bytes line = without_spaces_around(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    const size_t size = std::min(line.find_first_of(" \t"), line.size());
    if (line.starts_with('#') || line.substr(0, size) != name) continue;
    const std::string pattern(without_blanks_around(line.substr(size)));
    Status status = check_own_name(name, pattern);
    if (!status.is_ok()) return status.within(fmt::format("{}:{}", path, number));
    return pattern;
  }
  return std::string();
}

Result<std::string> meaning_of_format(const std::string &name, std::string *origin) {
  const bool known = name == "auto" || name.starts_with(kPattern) ||
                     find_named<LineFormat>(line_formats(), name) != nullptr;
  const std::string path = own_formats_path();
  if (known || name.empty() || path.empty()) return name;
  const Result<std::string> text = read_formats(path);
  if (!text.is_ok()) return text.status();
  Result<std::string> pattern = find_own_format(*text, path, name);
  if (!pattern.is_ok()) return pattern.status();
  if (pattern->empty()) return name;
  *origin = fmt::format("{} of {}", name, path);
  return std::string(kPattern) + *pattern;
}

}  // namespace mrc
