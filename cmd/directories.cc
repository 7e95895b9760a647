// Directories as inputs: their files, and the fields that their folders give to records.
#include "cmd/compile.h"
#include "cmd/loaded_directory.h"
#include "cmd/record_columns.h"
#include "input/folders.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>

namespace mrc {
namespace {

bool is_directory(const std::string &path) {
  struct stat info;
  return path != "-" && stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

std::string without_slashes(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

// Says which files in a loaded directory mrc load has not written. They are not read, because a
// load that was killed may have left them.
void note_others(const std::string &directory, const std::vector<std::string> &loaded,
                 std::vector<std::string> *notes) {
  const Result<std::vector<std::string>> all = files_below(directory);
  if (!all.is_ok()) return;
  std::vector<std::string> others;
  std::ranges::set_difference(*all, loaded, std::back_inserter(others));
  if (others.empty()) return;
  const std::string more =
      others.size() == 1 ? "is" : fmt::format("and {} more are", others.size() - 1);
  notes->push_back(
      fmt::format("{} {} not read: only files that mrc load has written there are "
                  "(name others as inputs)",
                  others[0], more));
}

// Returns the files of a directory that mrc load has filled, or that has folders NAME=VALUE.
// Returns the directory itself if it is neither: its reader complains. `are_csv`: whether all are
// CSV files of mrc load. Adds what was not expected to `notes`.
Result<std::vector<std::string>> files_of(const std::string &path, bool *are_csv,
                                          std::vector<std::string> *notes) {
  const Result<std::optional<LoadedDirectory>> loaded = read_loaded(path, notes);
  if (!loaded.is_ok()) return loaded.status();
  *are_csv = *loaded && (*loaded)->are_csv;
  if (*loaded) return inputs_of((*loaded)->loads);
  const std::string directory = without_slashes(path);
  if (!has_field_folders(directory)) return std::vector<std::string>{path};
  Result<std::vector<std::string>> files = files_below(directory);
  if (files.is_ok() && files->empty()) return Status::error(path + ": there are no files in it");
  return files;
}

bool is_detected(const FormatSpec &format) {
  return format.format == nullptr && !format.delimiter && !format.header &&
         format.columns.empty() && format.regex.empty();
}

}  // namespace

Result<std::optional<LoadedDirectory>> read_loaded(const std::string &path,
                                                   std::vector<std::string> *notes) {
  const std::string directory = without_slashes(path);
  Result<std::optional<Loads>> loads = read_loads(directory);
  if (!loads.is_ok()) return loads.status();
  if (!*loads) return std::optional<LoadedDirectory>();
  note_others(directory, (*loads)->files, notes);
  LoadedDirectory found{.loads = std::move(**loads), .job = {}};
  Result<Job> job = Job::from_text(found.loads.job);
  if (!job.is_ok()) return std::optional(std::move(found));
  found.job = std::move(*job);
  const Job::Choice *const to = found.job.find("--to");
  found.are_csv = to == nullptr || to->value == "csv";
  return std::optional(std::move(found));
}

std::vector<std::string> inputs_of(const Loads &loads) {
  return loads.files.empty() ? std::vector<std::string>{"/dev/null"} : loads.files;
}

void read_as_loaded(FormatSpec *format) {
  if (!is_detected(*format)) return;
  format->format = &LineFormat::csv;
  format->delimiter = ',';
  format->header = true;
}

// Files that mrc load has written as CSV are read as such, even if they have one column only.
Status read_directories(Compiled *compiled) {
  Program *program = &compiled->program;
  const bool takes_files = program->input_command.empty() && !find_verb(compiled->job.verb)->joins;
  if (!takes_files || std::ranges::none_of(program->inputs, is_directory)) return Status::ok();
  std::vector<std::string> inputs;
  bool all_csv = true;
  for (const std::string &input : program->inputs) {
    bool are_csv = false;
    const Result<std::vector<std::string>> files = is_directory(input)
                                                       ? files_of(input, &are_csv, &compiled->notes)
                                                       : std::vector<std::string>{input};
    if (!files.is_ok()) return files.status();
    inputs.insert(inputs.end(), files->begin(), files->end());
    all_csv &= are_csv;
  }
  program->inputs = std::move(inputs);
  if (all_csv) read_as_loaded(&program->map.fields.format);
  return Status::ok();
}

std::vector<std::string> folder_names(const std::vector<std::string> &inputs) {
  std::vector<std::string> names;
  for (const std::string &input : inputs) {
    for (FolderField &field : folder_fields(input)) {
      if (std::ranges::find(names, field.name) == names.end()) {
        names.push_back(std::move(field.name));
      }
    }
  }
  return names;
}

Status compile_folders(Compiled *compiled) {
  Program *program = &compiled->program;
  const auto &filter = program->map.fields.filter;
  if (!filter) return Status::ok();
  const std::vector<FieldName> read = filter->fields();
  for (const std::string &name : folder_names(program->inputs)) {
    const bool is_read = std::ranges::any_of(
        read, [&](const FieldName &field) { return field.number < 0 && field.text == name; });
    if (!is_read) continue;
    Result<std::vector<IndexedField>> fields =
        parse_indexed_fields(column_of(name).text, compiled->clock);
    if (!fields.is_ok()) return fields.status();
    fields->front().name.text = name;
    program->ranges.folders.push_back(std::move(fields->front()));
  }
  return Status::ok();
}

}  // namespace mrc
