#include "base/setting_name.h"
#include "engine/inner/kept_inputs.h"
#include "kept/identify.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

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

namespace {

// True if the file still has the same bytes before the mark. A changed stamp is accepted if device,
// inode, and the first bytes and those before the mark are the same: then the file has only grown.
bool has_same_front(const Source &source, const FileStamp &file, const KeptSource &kept) {
  if (file == kept.file || kept.end == 0) return true;
  const bool is_same_file = file.device == kept.file.device && file.inode == kept.file.inode;
  if (!is_same_file || source.codec != Codec::none || file.size < kept.end) return false;
  const Result<Fingerprint> now = fingerprint(source, {.file = file}, kept.end);
  return now.is_ok() && now->tail.has_value() && *now == kept.fingerprint;
}

// True if the last record that was mapped had no end, and the file has grown since.
bool has_longer_record(const Source &source, const KeptSource &kept, char terminator) {
  if (kept.end == 0 || kept.end != kept.file.size || source.end <= kept.end) return false;
  if (source.codec != Codec::none) return false;
  const Result<InputFile> file = InputFile::open(source);
  char last = '\0';
  if (!file.is_ok()) return false;
  const Result<i64> got = file->read_at(kept.end - 1, &last, 1);
  return got.is_ok() && *got == 1 && last != terminator;
}

}  // namespace

Status CheckpointInputs::identify(std::vector<Source> *sources, std::vector<std::string> *notes) {
  Status status = check_files(*sources, setting_name("checkpoint"));
  if (!status.is_ok()) return status;
  look_at_files(*sources);
  if (status = choose_start(*sources, notes); !status.is_ok()) return status;
  parts_ = manifest_.parts;
  known_flaws_ = manifest_.flaws;
  for (const KeptSource &kept : manifest_.sources) {
    known_.push_back(kept.tiles.empty() ? KeptTile{} : kept.tiles.front());
    known_records_.count(known_.back());
  }
  for (size_t i = 0; i < sources->size(); ++i) {
    const KeptSource &kept = manifest_.sources[i];
    Source &source = (*sources)[i];
    known_sources_ += kept.end > 0;
    source.device = files_[i].device;
    source.inode = files_[i].inode;
    source.known = kept.end;
    if (kept.finished && source.stream) source.pass_over();
  }
  return Status::ok();
}

void CheckpointInputs::look_at_files(const std::vector<Source> &sources) {
  for (const Source &source : sources) {
    const Result<InputFile> file = InputFile::open(source);
    const Result<FileStamp> stamp = file.is_ok() ? stamp_of(source, *file) : file.status();
    files_.push_back(stamp.is_ok() ? *stamp : place_of(source));
  }
}

// Resumes if that is possible and wanted, else starts over.
Status CheckpointInputs::choose_start(const std::vector<Source> &sources,
                                      std::vector<std::string> *notes) {
  const std::string &path = directory_.path();
  const bool must_go_on = spec_.resume == KeepSpec::Resume::require;
  if (directory_.is_new() || spec_.resume == KeepSpec::Resume::never) {
    if (must_go_on) return Status::error(path + ": there is no checkpoint to go on from");
    begin_anew(sources);
  } else if (const std::string why = find_difference(sources); !why.empty()) {
    if (must_go_on) return Status::error(fmt::format("{}: cannot go on: {}", path, why));
    notes->push_back(fmt::format("{}: begins anew: {}", path, why));
    begin_anew(sources);
  }
  return Status::ok();
}

// Returns the reason why the job cannot resume with these inputs; "": it can.
std::string CheckpointInputs::find_difference(const std::vector<Source> &sources) const {
  if (sources.size() != manifest_.sources.size()) {
    return fmt::format("it was made of {} inputs, and there are {}", manifest_.sources.size(),
                       sources.size());
  }
  for (size_t i = 0; i < sources.size(); ++i) {
    const KeptSource &kept = manifest_.sources[i];
    if (sources[i].path != kept.name) {
      return fmt::format("its inputs have \"{}\" where \"{}\" is now", kept.name, sources[i].path);
    }
    if (!has_same_front(sources[i], files_[i], kept)) {
      return fmt::format("{} has changed since", kept.name);
    }
    if (has_longer_record(sources[i], kept, spec_.terminator)) {
      return fmt::format("{} has grown, and its last record with it", kept.name);
    }
    if (has_grown_in_front(static_cast<i64>(i))) {
      return fmt::format("{} has grown, and what follows it is printed", kept.name);
    }
  }
  const Status text = directory_.check_text();
  return text.is_ok() ? "" : text.message();
}

// True if the source has grown, and text that follows its new records in the answer is written.
bool CheckpointInputs::has_grown_in_front(i64 source) const {
  const KeptSource &before = kept(source);
  const i64 size = files_[static_cast<size_t>(source)].size;
  if (!manifest_.text || size == before.file.size || source > manifest_.text->source) return false;
  return source < manifest_.text->source || before.end >= before.file.size || before.file.packed;
}

void CheckpointInputs::begin_anew(const std::vector<Source> &sources) {
  manifest_.sources.clear();
  manifest_.parts.clear();
  manifest_.text.reset();
  manifest_.flaws = {};
  for (size_t i = 0; i < sources.size(); ++i) {
    KeptSource &kept = manifest_.sources.emplace_back();
    kept.number = static_cast<i64>(i);
    kept.name = sources[i].path;
    kept.file = files_[i];
  }
  manifest_.next_source = std::ssize(sources);
}

i64 CheckpointInputs::known_bytes() const {
  i64 bytes = 0;
  for (const KeptTile &each : known_) bytes += each.end;
  return bytes;
}

// Never moves a mark back: a compressed source is read again from its beginning, so its mark may be
// before the known one.
Status CheckpointInputs::move_mark(i64 source, const Mark &mark) {
  const KeptTile &known = known_[static_cast<size_t>(source)];
  KeptSource &moved = kept(source);
  moved.file = files_[static_cast<size_t>(source)];
  moved.finished = mark.finished;
  moved.answered = mark.answered;
  moved.tiles = {known};
  moved.tiles[0].add(mark.mapped);
  const i64 before = std::exchange(moved.end, moved.tiles[0].end);
  if (moved.end == before || moved.file.packed) return Status::ok();
  const Source plain{.path = moved.name, .device = moved.file.device, .inode = moved.file.inode};
  Result<Fingerprint> seen = fingerprint(plain, {.file = moved.file}, moved.end);
  if (!seen.is_ok()) return seen.status();
  moved.fingerprint = *seen;
  return Status::ok();
}

Status CheckpointInputs::commit(Checkpoint at) {
  manifest_.text = std::move(at.text);
  manifest_.flaws = known_flaws_;
  manifest_.flaws.add(at.flaws);
  manifest_.parts = parts_;
  for (const i64 run : at.runs) {
    manifest_.parts.push_back(run);
    manifest_.next_run = std::max(manifest_.next_run, run + 1);
  }
  for (const auto &[source, mark] : at.marks) {
    if (Status status = move_mark(source, mark); !status.is_ok()) return status;
  }
  return directory_.commit(manifest_);
}

}  // namespace mrc
