#include "output/json_labels.h"

#include "base/utf8.h"
#include "output/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

bool contains(std::span<const std::string> names, const std::string &name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::vector<std::string> json_labels(std::span<const std::string> names) {
  std::vector<std::string> all, labels;
  for (const std::string &name : names) {
    std::string member;
    is_utf8(name) ? void(member = name) : append_visible(name, &member);
    const std::string first = member;
    for (i64 i = 2; contains(all, member) || (i > 2 && contains(names, member)); ++i) {
      member = fmt::format("{}_{}", first, i);
    }
    all.push_back(member);
    std::string label = labels.empty() ? "{" : ",";
    append_json(member, &label);
    labels.push_back(label + ":");
  }
  return labels;
}

}  // namespace mrc
