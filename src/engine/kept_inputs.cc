#include "engine/inner/kept_inputs.h"

#include <fmt/format.h>

namespace mrc {

Result<KeptDirectory> KeptInputs::open(const KeepSpec &spec) {
  Result<KeptDirectory> directory =
      KeptDirectory::open({spec.path, spec.wait_seconds, spec.creates});
  if (!directory.is_ok()) return directory;
  Status status = directory->check_job(spec.digest, spec.job);
  return status.is_ok() ? std::move(directory) : status;
}

KeptInputs::KeptInputs(KeptDirectory directory, const KeepSpec &spec)
    : directory_(std::move(directory)), spec_(spec), manifest_(directory_.manifest()) {
  manifest_.digest = spec.digest;
  manifest_.job = spec.job;
  manifest_.mrc_version = spec.mrc_version;
}

Status KeptInputs::check_files(const std::vector<Source> &sources, const std::string &setting) {
  for (const Source &source : sources) {
    if (is_named_file(source)) continue;
    return Status::error(
        fmt::format("{}: {} is no file, so what was read of it could not be told from what is new; "
                    "write it to a file first",
                    setting, source.name()));
  }
  return Status::ok();
}

}  // namespace mrc
