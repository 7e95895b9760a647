#include "cmd/check_memory.h"

#include "cmd/plugins.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <string_view>
#include <system_error>

namespace mrc {
namespace {

constexpr int kNoValgrind = 127;

// Runs in the child. Returns if there is no valgrind.
int run_valgrind(const std::string &plugin, const std::string &job, const AskedPlugins &ask,
                 const std::vector<std::string> &samples, const std::string &faults) {
  std::vector<std::string> words = {"valgrind",
                                    "--quiet",
                                    "--leak-check=full",
                                    "--show-leak-kinds=definite",
                                    "--errors-for-leak-kinds=definite",
                                    "--track-origins=yes",
                                    "--show-mismatched-frees=no",  // mrc has another allocator
                                    "--xml=yes",
                                    "--xml-file=" + faults,
                                    std::filesystem::read_symlink("/proc/self/exe").string(),
                                    "run",
                                    plugin,
                                    job,
                                    "--quiet",
                                    "--force-plugin",
                                    "-j1",
                                    "-o",
                                    "/dev/null"};
  for (const std::string &setting : ask.settings) words.insert(words.end(), {"--set", setting});
  words.push_back("--");
  words.insert(words.end(), samples.begin(), samples.end());
  std::vector<char *> arguments;
  for (std::string &word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  return kNoValgrind;
}

// Returns the text of the first element of this name, with its entities replaced.
std::string element(std::string_view xml, const std::string &name) {
  const std::string open = "<" + name + ">";
  const size_t begin = xml.find(open);
  if (begin == std::string_view::npos) return "";
  xml.remove_prefix(begin + open.size());
  std::string text(xml.substr(0, xml.find("</" + name + ">")));
  constexpr std::pair<std::string_view, char> kEntities[] = {
      {"&lt;", '<'}, {"&gt;", '>'}, {"&apos;", '\''}, {"&quot;", '"'}, {"&amp;", '&'}};
  for (const auto &[entity, byte] : kEntities) {
    for (size_t at = 0; (at = text.find(entity, at)) != std::string::npos; ++at) {
      text.replace(at, entity.size(), 1, byte);
    }
  }
  return text;
}

// Calls each(element) for all elements of this name.
template <class Each>
void for_each_element(std::string_view xml, const std::string &name, const Each &each) {
  const std::string end = "</" + name + ">";
  for (size_t at = 0; (at = xml.find("<" + name + ">", at)) != std::string_view::npos;) {
    const size_t until = std::min(xml.find(end, at), xml.size());
    each(xml.substr(at, until - at));
    at = until;
  }
}

// Returns the innermost place of an error that is in the plugin: "map (leaky.c:6)"; "" if there is
// none.
std::string place_in(std::string_view error, const std::string &object) {
  std::string place;
  for_each_element(error, "frame", [&](std::string_view frame) {
    if (!place.empty() || element(frame, "obj") != object) return;
    const std::string line = element(frame, "line");
    place = element(frame, "fn");
    if (place.empty()) place = "a function without symbols";
    if (!line.empty()) place += fmt::format(" ({}:{})", element(frame, "file"), line);
  });
  return place;
}

// True if the lost memory may be that of the plugin's tables, which its entry makes and which live
// as long as the process. Rust has no tables of its calls with panic=abort, and then valgrind sees
// no more than the innermost function.
bool is_of_tables(std::string_view error, const std::string &object) {
  if (error.find("<kind>Leak_") == error.npos) return false;
  std::string outermost;
  for_each_element(error, "frame",
                   [&](std::string_view frame) { outermost = element(frame, "obj"); });
  return outermost == object || error.find("<fn>mrc_plugin_v1</fn>") != error.npos;
}

}  // namespace

std::string memory_fault(const std::string &plugin, const std::string &job, const AskedPlugins &ask,
                         const CheckSamples &samples, const CheckFolder &folder) {
  const std::string faults = folder.path("valgrind");
  const ChildEnd end = in_child(ask.time_limit, [&](const Reporter &) {
    return run_valgrind(plugin, job, ask, samples.paths, faults);
  });
  if (end.whole || end.overtime) return "";  // it is not there, or too slow for these samples
  const std::string xml = read_file(faults);
  std::error_code gone;
  const std::string object = std::filesystem::canonical(plugin, gone).string();
  if (gone) return "";
  std::string fault;
  for_each_element(xml, "error", [&](std::string_view error) {
    const std::string place = is_of_tables(error, object) ? "" : place_in(error, object);
    if (place.empty() || !fault.empty()) return;
    std::string what = element(error, "what");
    if (what.empty()) what = element(error, "text");
    fault = fmt::format("job {}: valgrind: {}\n  in {}\n", job, what, place);
  });
  return fault;
}

}  // namespace mrc
