#include "engine/kept_inputs.h"

#include "base/setting_name.h"
#include "input/stream.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <set>

namespace mrc {
namespace {

bool is_file(const Source &source) {
  struct stat info;
  return source.path != "-" && stat(source.path.c_str(), &info) == 0 && S_ISREG(info.st_mode);
}

// How a compressed source begins. Its end is not looked at: its content is compared if need be.
Result<Fingerprint> fingerprint_of_packed(const Source &source, i64 end) {
  Result<InputFile> file = InputFile::open(source);
  if (!file.is_ok()) return file.status();
  BufferedReader packed(std::move(*file));
  Result<std::unique_ptr<Stream>> stream = open_stream(source.codec, &packed);
  if (!stream.is_ok()) return stream.status();
  std::string head(static_cast<size_t>(std::min(Heads::kMost, end)), '\0');
  i64 have = 0;
  while (have < std::ssize(head)) {
    const Result<i64> got = (*stream)->read(head.data() + have, std::ssize(head) - have);
    if (!got.is_ok()) return got.status();
    if (*got == 0) break;
    have += *got;
  }
  return Fingerprint{Heads::of(Bytes(head).substr(0, static_cast<size_t>(have))), std::nullopt};
}

}  // namespace

KeptInputs::KeptInputs(KeptDirectory directory, const KeepSpec &spec)
    : directory_(std::move(directory)),
      spec_(spec),
      hash_(directory_.manifest().content_base),
      manifest_(directory_.manifest()) {}

Result<std::unique_ptr<KeptInputs>> KeptInputs::open(const KeepSpec &spec) {
  Result<KeptDirectory> directory =
      KeptDirectory::open({spec.path, spec.wait_seconds, spec.creates});
  if (!directory.is_ok()) return directory.status();
  if (Status status = directory->check_job(spec.digest, spec.job); !status.is_ok()) return status;
  std::unique_ptr<KeptInputs> kept(new KeptInputs(std::move(*directory), spec));
  kept->manifest_.digest = spec.digest;
  kept->manifest_.job = spec.job;
  kept->manifest_.mrc_version = spec.mrc_version;
  return kept;
}

bool KeptInputs::counts(i64 kept) const {
  return std::ranges::count(identified_.absorbed, kept) == 0 &&
         (!spec_.drops_gone || std::ranges::count(identified_.gone, kept) == 0);
}

Status KeptInputs::identify(std::vector<Source> *sources, std::vector<std::string> *notes) {
  for (const Source &source : *sources) {
    if (is_file(source)) continue;
    return Status::error(
        fmt::format("{}: {} is no file, so what was read of it could not be told from what is new; "
                    "write it to a file first",
                    setting_name(is_checkpoint() ? "checkpoint" : "state"), source.name()));
  }
  if (is_checkpoint()) return go_on(sources, notes);
  begin_content_tiles(notes);
  identified_ = mrc::identify(*sources, manifest_, hash_,
                              has_content_tiles() ? Change::edits : Change::growth);
  notes->insert(notes->end(), identified_.notes.begin(), identified_.notes.end());
  take_gone(sources);
  for (size_t i = 0; i < identified_.inputs.size(); ++i) {
    const Identified::Input &input = identified_.inputs[i];
    Source &source = (*sources)[static_cast<size_t>(gone_) + i];
    kept_.push_back(input.same_as < 0 ? input.kept : -1);
    known_ += kept_.back() >= 0;
    source.device = input.file.device;
    source.inode = input.file.inode;
    source.known = input.read_from;
    if (has_content_tiles() && input.is_read()) look_again(input, &source);
    if (!input.is_read() || (source.stream && source.codec == Codec::none)) source.pass_over();
  }
  return Status::ok();
}

// First seen, first in order.
void KeptInputs::take_gone(std::vector<Source> *sources) {
  std::vector<Source> gone;
  std::vector<i64> all = identified_.gone;
  std::ranges::sort(all);
  for (const i64 kept : all) {
    if (!counts(kept)) continue;
    Source source{.path = manifest_.sources[static_cast<size_t>(kept)].name};
    source.pass_over();
    gone.push_back(std::move(source));
    kept_.push_back(kept);
  }
  gone_ = std::ssize(gone);
  known_ = gone_;
  for (Source &source : gone) source.argument = -1;
  sources->insert(sources->begin(), gone.begin(), gone.end());
}

std::vector<KeptInputs::Known> KeptInputs::known_tiles() const {
  std::vector<Known> all;
  for (i64 source = 0; source < std::ssize(kept_); ++source) {
    const i64 kept = kept_[static_cast<size_t>(source)];
    if (kept < 0) continue;
    for (const KeptTile &tile : manifest_.sources[static_cast<size_t>(kept)].tiles) {
      all.push_back({source, tile});
    }
  }
  return all;
}

i64 KeptInputs::known_bytes() const {
  i64 bytes = 0;
  for (const Known &each : known_tiles()) bytes += each.tile.end - each.tile.begin;
  return bytes;
}

i64 KeptInputs::runs() const {
  std::set<i64> numbers;
  for (const Known &each : known_tiles()) {
    if (each.tile.run >= 0) numbers.insert(each.tile.run);
  }
  return std::ssize(numbers);
}

KeptSource *KeptInputs::kept_of(i64 source) {
  i64 &kept = kept_[static_cast<size_t>(source)];
  if (kept < 0) {
    kept = std::ssize(manifest_.sources);
    manifest_.sources.emplace_back().number = manifest_.next_source++;
  }
  return &manifest_.sources[static_cast<size_t>(kept)];
}

void KeptInputs::add(i64 source, const SealedTile &tile, i64 run) {
  const Covered &covered = tile.covered.front();
  KeptSource *kept = kept_of(source);
  kept->tiles.push_back({.begin = covered.begin,
                         .end = covered.end,
                         .content = covered.content,
                         .records = covered.records,
                         .bad_records = covered.bad_records,
                         .bad_values = covered.bad_values,
                         .run = tile.blocks.count > 0 ? run : -1,
                         .first_block = tile.blocks.first,
                         .blocks = tile.blocks.count});
  const auto missing = missing_.find({source, covered.begin});
  if (missing != missing_.end()) kept->tiles.back().own = missing->second.own;
  kept->end = covered.end;
}

// In place of all tiles that it has.
void KeptInputs::replace(i64 source, const SealedTile &tile, i64 run) {
  kept_of(source)->tiles.clear();
  add(source, tile, run);
}

Status KeptInputs::note_inputs(const std::vector<Source> &sources,
                               const std::vector<std::string> &formats,
                               const std::set<i64> &partial) {
  for (const i64 kept : identified_.gone) {
    manifest_.sources[static_cast<size_t>(kept)].gone = true;
  }
  for (size_t i = static_cast<size_t>(gone_); i < sources.size(); ++i) {
    const Identified::Input &input = identified_.inputs[i - static_cast<size_t>(gone_)];
    if (kept_[i] < 0 || input.same_as >= 0 || input.unreadable) continue;
    KeptSource &kept = manifest_.sources[static_cast<size_t>(kept_[i])];
    kept.name = sources[i].path;
    kept.gone = false;
    kept.file = input.file;
    kept.copies = input.copies;
    const bool has_gaps = close_gaps(&kept);
    if (has_gaps || partial.contains(static_cast<i64>(i))) kept.file.size = 0;  // looked at again
    if (!formats[i].empty()) kept.format = formats[i];
    if (!input.is_read()) continue;
    const bool packed = sources[i].codec != Codec::none;
    kept.finished = packed;
    Result<Fingerprint> seen = packed ? fingerprint_of_packed(sources[i], kept.end)
                                      : fingerprint(sources[i], input, kept.end);
    if (!seen.is_ok()) return seen.status();
    kept.fingerprint = *seen;
  }
  return Status::ok();
}

Status KeptInputs::commit() {
  Manifest manifest = manifest_;
  manifest.sources.clear();
  for (i64 kept = 0; kept < std::ssize(manifest_.sources); ++kept) {
    if (counts(kept)) manifest.sources.push_back(manifest_.sources[static_cast<size_t>(kept)]);
  }
  return directory_.commit(std::move(manifest));
}

}  // namespace mrc
