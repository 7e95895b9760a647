#include "output/json_labels.h"

#include "base/names.h"
#include "base/utf8.h"
#include "output/text.h"

namespace mrc {

std::vector<std::string> json_labels(std::span<const std::string> names) {
  std::vector<std::string> members, labels;
  for (const std::string &name : names) {
    std::string &member = members.emplace_back();
    is_utf8(name) ? void(member = name) : append_visible(name, &member);
  }
  for (const std::string &member : distinct_names(members)) {
    std::string label = labels.empty() ? "{" : ",";
    append_json(member, &label);
    labels.push_back(label + ":");
  }
  return labels;
}

}  // namespace mrc
