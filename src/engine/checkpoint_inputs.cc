// Where a job goes on that did not end: its inputs must be those of before, as far as they were
// mapped. They may have grown.
#include "engine/kept_inputs.h"
#include "kept/contents.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace mrc {
namespace {

// Whether the file has what it had before the mark. One that was only written to since still is
// the file that it was; so are the ends of what was mapped.
bool has_same_front(const Source &source, const Identified::Input &input, const KeptSource &kept) {
  if (input.file == kept.file || kept.end == 0) return true;
  const bool is_same_file =
      input.file.device == kept.file.device && input.file.inode == kept.file.inode;
  if (!is_same_file || source.codec != Codec::none || input.file.size < kept.end) return false;
  const Result<Fingerprint> now = fingerprint(source, input, kept.end);
  return now.is_ok() && now->tail.has_value() && *now == kept.fingerprint;
}

}  // namespace

void KeptInputs::Mark::extend(const Covered &covered) {
  end = std::max(end, covered.end);
  records += covered.records;
  bad_records += covered.bad_records;
  bad_values += covered.bad_values;
}

// Why the inputs are not those of the checkpoint; "": they are.
std::string KeptInputs::find_difference(const std::vector<Source> &sources) const {
  if (sources.size() != manifest_.sources.size()) {
    return fmt::format("it was made of {} inputs, and there are {}", manifest_.sources.size(),
                       sources.size());
  }
  for (size_t i = 0; i < sources.size(); ++i) {
    const KeptSource &kept = manifest_.sources[i];
    if (sources[i].path != kept.name) {
      return fmt::format("its inputs have \"{}\" where \"{}\" is now", kept.name, sources[i].path);
    }
    if (!has_same_front(sources[i], identified_.inputs[i], kept)) {
      return fmt::format("{} has changed since", kept.name);
    }
    if (has_longer_record(sources[i], kept)) {
      return fmt::format("{} has grown, and its last record with it", kept.name);
    }
    if (has_grown_in_front(static_cast<i64>(i))) {
      return fmt::format("{} has grown, and what follows it is printed", kept.name);
    }
  }
  const Status text = directory_.check_text();
  return text.is_ok() ? "" : text.message();
}

// Whether a record was read that had no end yet, and goes on now.
bool KeptInputs::has_longer_record(const Source &source, const KeptSource &kept) const {
  if (kept.end == 0 || kept.end != kept.file.size || source.end <= kept.end) return false;
  if (source.codec != Codec::none) return false;
  const Result<InputFile> file = InputFile::open(source);
  char last = '\0';
  if (!file.is_ok()) return false;
  const Result<i64> got = file->read_at(kept.end - 1, &last, 1);
  return got.is_ok() && *got == 1 && last != spec_.terminator;
}

// Of text: whether the source has more than it had, of which the text would come too late.
bool KeptInputs::has_grown_in_front(i64 source) const {
  const KeptSource &kept = manifest_.sources[static_cast<size_t>(source)];
  const i64 size = identified_.inputs[static_cast<size_t>(source)].file.size;
  if (!manifest_.text || size == kept.file.size || source > manifest_.text->source) return false;
  return source < manifest_.text->source || kept.end >= kept.file.size || kept.file.packed;
}

void KeptInputs::begin_anew(const std::vector<Source> &sources) {
  manifest_.sources.clear();
  manifest_.parts.clear();
  manifest_.text.reset();
  manifest_.flaws = {};
  for (size_t i = 0; i < sources.size(); ++i) {
    KeptSource &kept = manifest_.sources.emplace_back();
    kept.number = static_cast<i64>(i);
    kept.name = sources[i].path;
    kept.file = identified_.inputs[i].file;
  }
  manifest_.next_source = std::ssize(sources);
}

Status KeptInputs::go_on(std::vector<Source> *sources, std::vector<std::string> *notes) {
  for (const Source &source : *sources) {
    const Result<InputFile> file = InputFile::open(source);
    const Result<FileStamp> stamp = file.is_ok() ? stamp_of(source, *file) : file.status();
    identified_.inputs.emplace_back().file = stamp.is_ok() ? *stamp : place_of(source);
  }
  const std::string &path = directory_.path();
  const bool wanted = spec_.resume == KeepSpec::Resume::require;
  if (directory_.is_new() || spec_.resume == KeepSpec::Resume::never) {
    if (wanted) return Status::error(path + ": there is no checkpoint to go on from");
    begin_anew(*sources);
  } else if (const std::string why = find_difference(*sources); !why.empty()) {
    if (wanted) return Status::error(fmt::format("{}: cannot go on: {}", path, why));
    notes->push_back(fmt::format("{}: begins anew: {}", path, why));
    begin_anew(*sources);
  }
  parts_ = manifest_.parts;
  note_known();
  for (size_t i = 0; i < sources->size(); ++i) {
    const KeptSource &kept = manifest_.sources[i];
    Source &source = (*sources)[i];
    kept_.push_back(static_cast<i64>(i));
    known_ += kept.end > 0;
    source.device = identified_.inputs[i].file.device;
    source.inode = identified_.inputs[i].file.inode;
    source.known = kept.end;
    if (kept.finished && source.stream) source.pass_over();
  }
  return Status::ok();
}

// What has been read before this run.
void KeptInputs::note_known() {
  known_records_.flaws = manifest_.flaws;
  for (const KeptSource &kept : manifest_.sources) {
    known_marks_.push_back(kept.tiles.empty() ? KeptTile{} : kept.tiles.front());
    known_records_.records += known_marks_.back().records;
    known_records_.bad_records += known_marks_.back().bad_records;
    known_records_.bad_values += known_marks_.back().bad_values;
  }
}

// Moves the mark of a source, if it has been read further.
void KeptInputs::mark(i64 source, const Mark &mark, KeptSource *kept) const {
  const auto at = static_cast<size_t>(source);
  const KeptTile &known = known_marks_[at];
  kept->file = identified_.inputs[at].file;
  kept->finished = mark.finished;
  kept->answered = mark.answered;
  // A stream is unpacked from its beginning: what was known of it is not lost on the way there.
  kept->end = std::max(mark.end, known.end);
  kept->tiles = {{.begin = 0,
                  .end = kept->end,
                  .records = known.records + mark.records,
                  .bad_records = known.bad_records + mark.bad_records,
                  .bad_values = known.bad_values + mark.bad_values}};
}

Status KeptInputs::checkpoint(Checkpoint at) {
  manifest_.text = std::move(at.text);
  manifest_.flaws = known_records_.flaws;
  manifest_.flaws.add(at.flaws);
  manifest_.parts = parts_;
  for (const i64 run : at.runs) {
    manifest_.parts.push_back(run);
    manifest_.next_run = std::max(manifest_.next_run, run + 1);
  }
  for (const auto &[source, its_mark] : at.marks) {
    KeptSource &kept = manifest_.sources[static_cast<size_t>(source)];
    const i64 before = kept.end;
    mark(source, its_mark, &kept);
    if (kept.end == before || kept.file.packed) continue;
    const Source plain{.path = kept.name, .device = kept.file.device, .inode = kept.file.inode};
    Result<Fingerprint> seen =
        fingerprint(plain, identified_.inputs[static_cast<size_t>(source)], kept.end);
    if (!seen.is_ok()) return seen.status();
    kept.fingerprint = *seen;
  }
  return directory_.commit(manifest_);
}

}  // namespace mrc
