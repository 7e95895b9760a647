// mrc plugins list and mrc plugins new. To list plugins, each plugin is loaded in a process of its
// own, so that one that crashes is a line of the list.
#include "cmd/messages.h"
#include "cmd/plugins.h"
#include "mrc_reader.h"
#include "plugin/opened_reducer.h"

#include <fmt/format.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace mrc {
namespace {

std::string parameters_of(const mrc_reducer &reducer) {
  std::string text;
  for (size_t i = 0; i < reducer.parameters.count; ++i) {
    const mrc_option &parameter = reducer.parameters.at[i];
    const std::string initial = parameter.initial == nullptr
                                    ? "must be given"
                                    : fmt::format("default: {}", parameter.initial);
    text +=
        visible(fmt::format("    {:<20} {}; {}", parameter.name, parameter.help, initial)) + "\n";
  }
  return text;
}

std::string offers_of(const Plugin &plugin) {
  const std::vector<std::string> aggregates = aggregate_names();
  std::string text;
  for (const mrc_job *job : plugin.jobs()) {
    text += visible(fmt::format("  job      {:<20} {}", job->name, job->summary)) + "\n";
    const std::string fields = describe_fields(*job);
    if (!fields.empty()) text += visible("    fields " + fields) + "\n";
  }
  for (const mrc_reducer *reducer : plugin.reducers()) {
    text += visible(fmt::format("  reducer  {:<20} {}",
                                reducer->parameters.count == 0 ? reducer->name : form_of(*reducer),
                                reducer->summary)) +
            "\n" + parameters_of(*reducer);
    if (std::find(aggregates.begin(), aggregates.end(), reducer->name) == aggregates.end())
      continue;
    text += fmt::format("    is for jobs: mrc stats -a {} is an aggregate of mrc itself\n",
                        reducer->name);
  }
  if (const mrc_reader *reader = plugin.reader()) {
    text +=
        visible(fmt::format("  reader   {:<20} {}", input_form(plugin), reader->summary)) + "\n";
  }
  return text;
}

// Appends the entry of one file. Returns true if it can be loaded and found.
bool append_entry(const PluginFile &file, const AskedPlugins &ask, std::string *out) {
  const ChildEnd end = in_child(ask.time_limit, [&](const Reporter &report) {
    const Result<std::shared_ptr<const Plugin>> plugin = load_plugin(file.path, ask.force);
    if (!plugin.is_ok()) {
      report("  cannot be used: " + visible(plugin.status().message()) + "\n");
      return 1;
    }
    const mrc_plugin &about = (*plugin)->about();
    report(visible(fmt::format("  {} {}: {}", about.name, about.version, about.summary)) + "\n" +
           offers_of(**plugin));
    return 0;
  });
  *out += visible(fmt::format("{}  {}", file.name, file.path)) + "\n" + end.out;
  if (!end.whole) *out += "  cannot be used: " + describe_end(end, ask.time_limit);
  if (!file.rival.empty()) {
    *out += "  cannot be found by its name: there is another one, " + visible(file.rival) + "\n";
  } else if (find_verb(file.name) != nullptr) {
    *out +=
        fmt::format("  is not run by mrc {0}, a verb of mrc itself; use mrc run {0}\n", file.name);
  }
  return end.whole && end.code() == 0 && file.rival.empty();
}

}  // namespace

Result<bool> list_all_plugins(const Ask &ask, std::string *out) {
  if (ask.arguments.size() > 1) return Status::error("plugins: list takes no arguments");
  const Result<PluginPath> path = plugin_path(ask.plugins.places);
  if (!path.is_ok()) return path.status().within("plugins");
  for (const std::string &note : path->notes) say_info(note);
  if (ask.plugins.names_only) {
    for (const std::string &name : plugin_verbs(*path)) *out += name + "\n";
    return true;
  }
  bool good = true;
  for (const PluginFile &file : list_plugins(*path)) {
    good = append_entry(file, ask.plugins, out) && good;
  }
  if (out->empty()) {
    say_info(fmt::format("no plugins found in {}", fmt::join(path->places, ", ")));
  }
  return good;
}

// mrc plugins new: makes a directory that can be built, run and checked at once, from
// plugins/skeleton.*.

namespace {

namespace fs = std::filesystem;

// An entry of skeletons.inc, which has one for each file plugins/skeleton.* and for mrc.rs:
// SKELETON(suffix, text).
struct Skeleton {
  const char *suffix, *text;
};
#define SKELETON(suffix, text) {suffix, text},
constexpr Skeleton kSkeletons[] = {
#include "skeletons.inc"
};
#undef SKELETON

constexpr std::string_view kPlaceholder = "skeleton";

// Returns a skeleton with the plugin's name in place of its own.
std::string skeleton(const std::string &suffix, const std::string &name) {
  std::string text;
  for (const Skeleton &each : kSkeletons) {
    if (suffix == each.suffix) text = each.text;
  }
  for (size_t at = 0; (at = text.find(kPlaceholder, at)) != std::string::npos; at += name.size()) {
    text.replace(at, kPlaceholder.size(), name);
  }
  return text;
}

// Returns how a shell finds this program: by its name, unless another one or none is on PATH.
std::string own_name() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  const char *path = std::getenv("PATH");
  if (error || path == nullptr) return "mrc";
  std::istringstream folders(path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path program = fs::path(folder) / "mrc";
    if (access(program.c_str(), X_OK) != 0) continue;
    return fs::equivalent(program, self, error) ? "mrc" : self.string();
  }
  return self.string();
}

void erase_paragraph(const std::string &start, std::string *text) {
  const size_t at = text->find(start);
  if (at != std::string::npos) text->erase(at, text->find("\n\n", at) + 2 - at);
}

// Escapes text for the value of a variable of make.
std::string in_makefile(const std::string &text) {
  std::string value;
  for (const char c : text) value += c == '$' ? "$$" : c == '#' ? "\\#" : std::string(1, c);
  return value;
}

// Returns a Makefile with the rules of the chosen language only, and the path of this program.
std::string makefile(const std::string &name, const std::string &suffix) {
  constexpr std::string_view kProgram = "MRC ?= mrc\n";
  std::string text = skeleton("mk", name);
  text.replace(text.find(kProgram), kProgram.size(), "MRC ?= " + in_makefile(own_name()) + "\n");
  for (const std::string other : {"c", "cc", "rs"}) {
    const char *module = other == "rs" ? " mrc.rs" : "";
    const std::string rule = fmt::format("{0}.so: {0}.{1}{2}\n", name, other, module);
    if (other != suffix) erase_paragraph(rule, &text);
  }
  if (suffix == "rs") erase_paragraph("header:\n", &text);
  return text;
}

Status check_name(const std::string &name, bool is_rust) {
  if (is_rust && name == "mrc") {
    return Status::error("plugins: new mrc: mrc.rs is the module for plugins; choose another name");
  }
  for (char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') continue;
    return Status::error("plugins: new \"" + name +
                         "\": the name of a plugin consists of letters, digits and _");
  }
  if (find_verb(name) == nullptr) return Status::ok();
  return Status::error("plugins: new \"" + name +
                       "\": mrc has a verb of this name, which always wins; choose another name");
}

using NamedText = std::pair<std::string, std::string>;

std::vector<NamedText> files_of_new(const std::string &name, const std::string &suffix) {
  std::vector<NamedText> files = {{name + "." + suffix, skeleton(suffix, name)}};
  if (suffix == "rs") files.emplace_back("mrc.rs", skeleton("mrc.rs", name));
  files.emplace_back("Makefile", makefile(name, suffix));
  files.emplace_back("sample.txt", skeleton("txt", name));
  files.emplace_back("README.md", skeleton("md", name));
  return files;
}

Status write_files(const fs::path &folder, const std::vector<NamedText> &files) {
  for (const auto &[file, text] : files) {
    std::ofstream out(folder / file, std::ios::binary);
    out << text;
    out.close();
    if (!out) return Status::from_errno((folder / file).string() + ": cannot write", errno);
  }
  return Status::ok();
}

}  // namespace

Result<bool> new_plugin(const Ask &ask, std::string *out) {
  if (ask.arguments.size() != 2 || ask.arguments[1].empty()) {
    return Status::error("plugins: new needs a name: mrc plugins new NAME [--lang c|c++|rust]");
  }
  const std::string &name = ask.arguments[1];
  const std::string suffix = ask.plugins.language == "c++"    ? "cc"
                             : ask.plugins.language == "rust" ? "rs"
                                                              : "c";
  if (Status status = check_name(name, suffix == "rs"); !status.is_ok()) return status;
  std::error_code error;
  if (!fs::create_directory(name, error)) {
    const std::string why = error ? error.message() : "is there already; choose another name";
    return Status::error("plugins: new " + name + ": " + why);
  }
  const std::vector<NamedText> files = files_of_new(name, suffix);
  if (Status status = write_files(name, files); !status.is_ok()) return status;
  *out += name + "/: " + files[0].first;
  for (size_t i = 1; i < files.size(); ++i) *out += ", " + files[i].first;
  *out += "\n";
  *out += fmt::format("next: cd {} && make && make run && make check\n", name);
  return true;
}

}  // namespace mrc
