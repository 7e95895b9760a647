// Leaves out files for whose folders (input/folders.h) the program's condition can hold for no
// record.
//
// Only a field that records themselves do not have is that of the folder. Records of an open format
// may have any field, unless mrc load has written them.
#include "base/setting_name.h"
#include "engine/inner/plan_steps.h"
#include "expr/field_bounds.h"
#include "input/folders.h"
#include "kept/loads.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace mrc {
namespace {

using FromFolder = InputReaders::FromFolder;

// Knows the files that mrc load has written: their records have no field of their folders, unless
// they are lines as they were.
class LoadedFiles {
 public:
  bool has(const std::string &path) {
    size_t begin = 0;
    for (size_t slash = path.find('/'); slash != path.npos; slash = path.find('/', begin)) {
      if (folder_field(path.substr(begin, slash - begin)) && is_in(begin, path)) return true;
      begin = slash + 1;
    }
    return false;
  }

 private:
  // True if the directory before the folder at `begin` lists the file.
  bool is_in(size_t begin, const std::string &path) {
    const std::string directory = begin == 0 ? "." : path.substr(0, begin - 1);
    const auto [known, is_new] = by_directory_.try_emplace(directory);
    if (is_new) known->second = files_of(directory);
    return std::ranges::binary_search(known->second, begin == 0 ? "./" + path : path);
  }
  static std::vector<std::string> files_of(const std::string &directory) {
    Result<std::optional<Loads>> loads = read_loads(directory);
    if (!loads.is_ok() || !*loads) return {};
    const std::string lines = "\n" + setting_name("to") + " lines\n";
    return (*loads)->job.find(lines) == std::string::npos ? std::move((*loads)->files)
                                                          : std::vector<std::string>();
  }

  std::map<std::string, std::vector<std::string>> by_directory_;  // sorted paths
};

// Returns the bounds of a field in all records of a source, if its folder sets it.
std::optional<FieldBounds> bounds_of(const Plan &plan, i64 i, const IndexedField &field,
                                     LoadedFiles *loaded) {
  const FolderFields::Field *const found = plan.readers->folders()->find(i, field.name);
  if (found == nullptr) return std::nullopt;
  const FromFolder from = plan.readers->from_folder_of(i, field.name);
  const bool is_sure =
      from == FromFolder::always || loaded->has(plan.sources[static_cast<size_t>(i)].path);
  if (!is_sure) return std::nullopt;
  BoundsBuilder builder = field.builder();
  builder.add(found->value);
  return builder.take();
}

bool may_hold(const Program &program, const Plan &plan, i64 i, LoadedFiles *loaded) {
  const Filter &filter = *program.map.fields.filter;
  const std::vector<FieldName> names = filter.fields();
  std::vector<std::optional<FieldBounds>> found(names.size());
  std::vector<const FieldBounds *> bounds(names.size());
  for (size_t k = 0; k < names.size(); ++k) {
    const std::vector<IndexedField> &folders = program.ranges.folders;
    const auto field = std::ranges::find(folders, names[k].text,
                                         [](const IndexedField &each) { return each.name.text; });
    if (field == folders.end() || names[k].number != -1) continue;
    found[k] = bounds_of(plan, i, *field, loaded);
    if (found[k]) bounds[k] = &*found[k];
  }
  const bool any = std::ranges::any_of(found, [](const auto &each) { return each.has_value(); });
  return !any || filter.outlook(bounds).holds;
}

}  // namespace

void plan_folders(const Program &program, Plan *plan) {
  const bool selects = program.map.records == MapSpec::Records::fields && program.map.fields.filter;
  if (!selects || !plan->readers || plan->readers->folders() == nullptr) return;
  if (program.join || program.ranges.folders.empty()) return;
  if (const std::string against = reason_against_pages(program); !against.empty()) {
    plan->decisions.push_back({"folders", "all are read", against});
    return;
  }
  LoadedFiles loaded;
  std::vector<i64> out;
  for (i64 i = 0; i < std::ssize(plan->sources); ++i) {
    if (!may_hold(program, *plan, i, &loaded)) out.push_back(i);
  }
  // One file is read in any case: it shows the fields and the header of records.
  if (std::ssize(out) == std::ssize(plan->sources)) out.erase(out.begin());
  if (out.empty()) return;
  for (const i64 i : out) {
    Source *source = &plan->sources[static_cast<size_t>(i)];
    count_input(*source, -1, plan);
    plan->left_out.bytes += source->codec == Codec::none ? source->end : source->packed_bytes;
    source->pass_over();
  }
  plan->left_out.files = std::ssize(out);
  plan->decisions.push_back(
      {"folders",
       fmt::format("files: {} of {}", std::ssize(plan->sources) - std::ssize(out),
                   std::ssize(plan->sources)),
       fmt::format("by the folders of the others, {} bytes, the condition can hold for no record",
                   plan->left_out.bytes)});
}

}  // namespace mrc
