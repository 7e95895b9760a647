// Directories of mrc load as inputs of a join, and the hash that divides their files.
#include "base/text.h"
#include "base/typed_text.h"
#include "cmd/compile.h"
#include "cmd/loaded_directory.h"
#include "expr/expression_items.h"
#include "expr/hash_bucket.h"
#include "input/folders.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>

namespace mrc {
namespace {

// A hash that divides the files of a directory: the outermost of its partitions.
struct HashOfLoad {
  std::string field;
  i64 partitions = 0;  // 0: there is none
};

HashOfLoad hash_of(const Job &job) {
  const Job::Choice *by = job.find("--partition-by");
  const Result<std::vector<std::string>> items =
      by == nullptr ? std::vector<std::string>() : split_items(by->value);
  if (!items.is_ok() || items->empty()) return {};
  const Result<FieldExpr> first = parse_field(items->front(), {});
  if (!first.is_ok() || first->field.number >= 0) return {};
  return {first->field.text, hash_partitions(first->bucket.get())};
}

bool has_size(const std::string &path, i64 bytes) {
  struct stat info;
  return stat(path.c_str(), &info) == 0 && info.st_size == bytes;
}

// Returns the folder's partition; nothing: it is not the folder of one.
std::optional<i64> partition_of(const LoadedFile &file, i64 partitions) {
  const std::optional<FolderField> folder = folder_field(file.path.substr(0, file.path.find('/')));
  if (!folder) return std::nullopt;
  if (!folder->value) return partitions;
  i64 number = 0;
  const bool is_number = is_digits(*folder->value) && read_number(*folder->value, &number);
  return is_number && number < partitions ? std::optional(number) : std::nullopt;
}

// Describes the files of a directory that a hash divides.
HashedFiles hashed_files(const Loads &loads, const HashOfLoad &hash, bool are_csv) {
  HashedFiles hashed{.field = hash.field, .partitions = hash.partitions};
  if (!are_csv) hashed.reason_against = "the records of a file may have any fields";
  for (size_t i = 0; i < loads.files.size(); ++i) {
    const std::optional<i64> partition = partition_of(loads.loaded[i], hash.partitions);
    if (!partition || !has_size(loads.files[i], loads.loaded[i].bytes)) {
      hashed.reason_against = loads.files[i] + " is not as mrc load has written it";
    }
    hashed.files.push_back({partition.value_or(0), loads.loaded[i].records});
  }
  if (!std::ranges::is_sorted(hashed.files, {}, &HashedFiles::File::partition)) {
    hashed.reason_against = "files are not in the order of their partitions";
  }
  return hashed;
}

// Adds the files of a directory to `inputs`, and tells the join about them.
void add_directory(const LoadedDirectory &directory, JoinInput *to,
                   std::vector<std::string> *inputs) {
  const Loads &loads = directory.loads;
  const std::vector<std::string> files = inputs_of(loads);
  inputs->insert(inputs->end(), files.begin(), files.end());
  if (loads.files.empty()) return;
  if (directory.are_csv) read_as_loaded(&to->format);
  const HashOfLoad hash = hash_of(directory.job);
  if (hash.partitions > 0) to->hashed = hashed_files(loads, hash, directory.are_csv);
  to->folders = folder_names({"/" + loads.loaded.front().path});
  if (hash.partitions > 0) to->folders.erase(to->folders.begin());
}

}  // namespace

Status read_join_inputs(Compiled *compiled) {
  Program *program = &compiled->program;
  if (!program->input_command.empty() || program->inputs.size() != 2) return Status::ok();
  std::vector<std::string> inputs;
  for (const Side side : {kLeft, kRight}) {
    const std::string &path = program->inputs[side];
    const Result<std::optional<LoadedDirectory>> directory = read_loaded(path, &compiled->notes);
    if (!directory.is_ok()) return directory.status();
    if (*directory) {
      add_directory(**directory, &program->join->inputs[side], &inputs);
    } else {
      inputs.push_back(path);
    }
    if (side == kLeft) program->join->left_sources = std::ssize(inputs);
  }
  program->inputs = std::move(inputs);
  program->map.fields.format = program->join->inputs[kLeft].format;
  return Status::ok();
}

}  // namespace mrc
