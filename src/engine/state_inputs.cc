#include "base/setting_name.h"
#include "engine/inner/kept_inputs.h"
#include "kept/identify.h"
#include "kept/loads.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace mrc {
namespace {

// Returns the fingerprint of a compressed source. It has no tail: a later run that needs one
// compares the whole content.
Result<Fingerprint> fingerprint_of_packed(const Source &source, i64 end) {
  const Result<Front> front = front_of(source);
  if (!front.is_ok()) return front.status();
  const bool is_short = std::ssize(front->bytes) < std::min(Heads::kMost, end);
  if (is_short && !front->damage.empty()) return Status::error(front->damage);
  return Fingerprint{Heads::of(front->bytes).up_to(end), std::nullopt};
}

// Drops all tiles after the first gap, which a part that could not be read leaves. True if there
// is a gap.
bool close_gaps(KeptSource *kept) {
  std::ranges::sort(kept->tiles, {}, &KeptTile::begin);
  kept->end = 0;
  for (auto tile = kept->tiles.begin(); tile != kept->tiles.end(); ++tile) {
    if (tile->begin != kept->end) {
      kept->tiles.erase(tile, kept->tiles.end());
      return true;
    }
    kept->end = tile->end;
  }
  return false;
}

}  // namespace

StateInputs::StateInputs(KeptDirectory directory, const KeepSpec &spec)
    : KeptInputs(std::move(directory), spec), hash_(manifest_.content_base) {}

Status StateInputs::identify(std::vector<Source> *sources, std::vector<std::string> *notes) {
  Status status = check_files(*sources, is_load() ? "load" : setting_name("state"));
  if (!status.is_ok()) return status;
  check_tile_bytes(notes);
  // If what is gone does not count, neither does what a file had before it became shorter.
  const bool drops = spec_.drops_gone || has_content_tiles();
  const Change change = drops ? Change::edits : Change::growth;
  identified_ = spec_.has_roles ? identify_roles(*sources, change)
                                : mrc::identify(*sources, manifest_, hash_, change);
  if (spec_.has_roles && !identified_.notes.empty()) {
    return Status::error(identified_.notes[0] + ", and a join needs both of its inputs");
  }
  notes->insert(notes->end(), identified_.notes.begin(), identified_.notes.end());
  if (is_load()) {
    note_repeated(notes);
    note_copies(*sources, notes);
  }
  if (spec_.has_roles) found_ = *sources;
  take_gone(sources);
  for (size_t i = 0; i < identified_.inputs.size(); ++i) {
    take_input(identified_.inputs[i], &(*sources)[static_cast<size_t>(gone_) + i]);
  }
  return Status::ok();
}

// Identifies each input among the sources that were kept of this input.
Identified StateInputs::identify_roles(const std::vector<Source> &sources, Change change) const {
  Identified all;
  for (i64 input = 0; input < std::ssize(sources); ++input) {
    Manifest of_role = manifest_;
    of_role.sources.clear();
    std::vector<i64> places;  // of these sources in the manifest
    for (i64 k = 0; k < std::ssize(manifest_.sources); ++k) {
      if (kept(k).input != input) continue;
      of_role.sources.push_back(kept(k));
      places.push_back(k);
    }
    Identified one = mrc::identify({sources[static_cast<size_t>(input)]}, of_role, hash_, change);
    const auto place = [&](i64 k) { return k < 0 ? k : places[static_cast<size_t>(k)]; };
    one.inputs[0].kept = place(one.inputs[0].kept);
    all.inputs.push_back(std::move(one.inputs[0]));
    std::ranges::transform(one.gone, std::back_inserter(all.gone), place);
    std::ranges::transform(one.absorbed, std::back_inserter(all.absorbed), place);
    std::ranges::move(one.notes, std::back_inserter(all.notes));
  }
  return all;
}

// Drops all sources if the size of tiles has changed: kept tiles then have other borders, and
// perhaps other positions.
void StateInputs::check_tile_bytes(std::vector<std::string> *notes) {
  const i64 before = manifest_.tile_bytes;
  manifest_.tile_bytes = spec_.tile_bytes;
  if (before != spec_.tile_bytes && !manifest_.sources.empty()) {
    manifest_.sources.clear();
    notes->push_back(fmt::format("{}: {} has changed: all is read again", spec_.path,
                                 setting_name("state-tiles")));
  }
  for (const KeptSource &source : manifest_.sources) tile_index_.add(source);
}

// Puts gone sources in front of the inputs, in the order in which they were first seen.
void StateInputs::take_gone(std::vector<Source> *sources) {
  std::vector<Source> gone;
  std::vector<i64> all = identified_.gone;
  std::ranges::sort(all);
  for (const i64 k : all) {
    if (!counts(k)) continue;
    Source source{.path = kept(k).name};
    source.argument = -1;
    source.pass_over();
    gone.push_back(std::move(source));
    kept_.push_back(k);
  }
  gone_ = std::ssize(gone);
  known_sources_ = gone_;
  sources->insert(sources->begin(), gone.begin(), gone.end());
}

void StateInputs::take_input(const Identified::Input &input, Source *source) {
  kept_.push_back(input.same_as < 0 ? input.kept : -1);
  known_sources_ += kept_.back() >= 0;
  source->device = input.file.device;
  source->inode = input.file.inode;
  source->known = input.read_from;
  if (has_content_tiles() && input.is_read()) look_again(input, source);
  const bool is_cut = input.kept >= 0 && input.is_read() && kept(input.kept).open;
  if (is_cut && !is_load()) forget(input.kept, source);
  if (!input.is_read() || (source->stream && source->codec == Codec::none)) source->pass_over();
}

// Forgets a changed file, because its tiles are found by content. A compressed file still begins
// with its kept content, which has been compared.
void StateInputs::look_again(const Identified::Input &input, Source *source) {
  if (!source->stream && input.kept >= 0) forget(input.kept, source);
}

// Has the whole source read again.
void StateInputs::forget(i64 k, Source *source) {
  source->known = 0;
  --known_sources_;
  kept(k).tiles.clear();
  kept(k).end = 0;
  kept(k).open = false;
}

bool StateInputs::was_read_otherwise(i64 source, u64 reads) const {
  const i64 k = kept_[static_cast<size_t>(source)];
  if (k < 0 || kept(k).tiles.empty()) return false;
  return reads != 0 && kept(k).reads != 0 && kept(k).reads != reads;
}

void StateInputs::read_again(i64 source, Source *of) {
  const auto i = static_cast<size_t>(source);
  forget(kept_[i], of);
  if (!spec_.has_roles) return;
  const u64 device = of->device, inode = of->inode;
  *of = found_[i];
  of->device = device;
  of->inode = inode;
  identified_.inputs[i].unchanged = false;
}

bool StateInputs::counts(i64 kept) const {
  return std::ranges::count(identified_.absorbed, kept) == 0 &&
         (!spec_.drops_gone || std::ranges::count(identified_.gone, kept) == 0);
}

// A copy that was loaded while it was too short to be recognized is loaded again with its original.
void StateInputs::note_repeated(std::vector<std::string> *notes) const {
  for (const i64 k : identified_.absorbed) {
    notes->push_back(
        fmt::format("{}: its first {} bytes are loaded twice: it was a copy, which was "
                    "still too short to be recognized",
                    kept(k).name, kept(k).end));
  }
}

// Short files with equal content may be two files all the same, such as exports of two hours.
void StateInputs::note_copies(const std::vector<Source> &sources,
                              std::vector<std::string> *notes) const {
  for (size_t i = 0; i < sources.size(); ++i) {
    const Identified::Input &input = identified_.inputs[i];
    if (input.kept < 0 || input.same_as >= 0) continue;
    const KeptSource &known = kept(input.kept);
    const bool is_it =
        known.file.device == input.file.device && known.file.inode == input.file.inode;
    if (is_it || known.name == sources[i].path || known.end >= Heads::kLeast) continue;
    notes->push_back(
        fmt::format("{}: begins with the records of {}, which are loaded already; name both "
                    "files if they are not one",
                    sources[i].path, known.name));
  }
}

std::string StateInputs::name_of_load(const std::vector<Source> &sources) const {
  std::string text;
  for (const Source &source : sources) {
    if (source.is_known) continue;
    text += fmt::format("{} {} {} {}\n", source.device, source.inode, source.known, source.end);
  }
  return load_name(manifest_.loads, checksum_bytes(text));
}

bool StateInputs::has_open_end(i64 source) const {
  const i64 k = kept_[static_cast<size_t>(source)];
  return k >= 0 && kept(k).open;
}

void StateInputs::add_loaded(const Portion &portion) {
  KeptSource *kept = kept_of(portion.source);
  if (kept->tiles.empty()) {
    kept->tiles.push_back({{portion}, -1, 0, 0, 0});
  } else {
    kept->tiles.back().add(portion);
  }
  kept->end = portion.end;
  kept->open = portion.open;
}

void StateInputs::add_files(std::vector<LoadedFile> files) {
  ++manifest_.loads;
  std::ranges::move(files, std::back_inserter(manifest_.loaded));
}

std::vector<KeptTile> StateInputs::known_tiles() const {
  std::vector<KeptTile> all;
  for (i64 source = 0; source < std::ssize(kept_); ++source) {
    const i64 k = kept_[static_cast<size_t>(source)];
    if (k < 0) continue;
    for (const KeptTile &tile : kept(k).tiles) all.emplace_back(tile).source = source;
  }
  return all;
}

i64 StateInputs::known_bytes() const {
  i64 bytes = 0;
  for (const KeptTile &each : known_tiles()) bytes += each.end - each.begin;
  return bytes;
}

i64 StateInputs::runs() const {
  std::set<i64> numbers;
  for (const KeptTile &each : known_tiles()) {
    if (each.run >= 0) numbers.insert(each.run);
  }
  return std::ssize(numbers);
}

std::vector<Source::Part> StateInputs::take_tiles(i64 source, const std::vector<ContentTile> &tiles,
                                                  u64 reads) {
  KeptSource *kept = kept_of(source);
  kept->reads = reads;
  std::vector<Source::Part> missing = tile_index_.take(source, tiles, kept);
  known_sources_ += !kept->tiles.empty();
  return missing;
}

KeptSource *StateInputs::kept_of(i64 source) {
  i64 &k = kept_[static_cast<size_t>(source)];
  if (k < 0) {
    k = std::ssize(manifest_.sources);
    manifest_.sources.emplace_back().number = manifest_.next_source++;
    if (spec_.has_roles) kept(k).input = source;
  }
  return &kept(k);
}

void StateInputs::add(i64 source, const SealedTile &tile, i64 run) {
  const Portion &portion = tile.portions.front();
  const ContentTile *missing = tile_index_.missing(portion);
  KeptSource *kept = kept_of(source);
  kept->tiles.push_back({{portion},
                         tile.blocks.count > 0 ? run : -1,
                         tile.blocks.first,
                         tile.blocks.count,
                         missing == nullptr ? 0 : missing->own});
  kept->end = portion.end;
  kept->open = portion.open;
}

void StateInputs::replace(i64 source, const SealedTile &tile, i64 run) {
  KeptSource *kept = kept_of(source);
  const bool open = kept->open;
  kept->tiles.clear();
  add(source, tile, run);
  kept->open = open;
}

Status StateInputs::each_tile(const std::function<Status(KeptTile *)> &visit) {
  for (const i64 k : kept_) {
    if (k < 0) continue;
    for (KeptTile &tile : kept(k).tiles) {
      if (Status status = visit(&tile); !status.is_ok()) return status;
    }
  }
  return Status::ok();
}

Status StateInputs::note_inputs(const std::vector<Source> &sources,
                                const std::vector<Reading> &readings,
                                const std::set<i64> &partial) {
  for (const i64 k : identified_.gone) kept(k).gone = true;
  for (i64 source = gone_; source < std::ssize(sources); ++source) {
    const auto i = static_cast<size_t>(source);
    const Identified::Input &input = identified_.inputs[i - static_cast<size_t>(gone_)];
    if (kept_[i] < 0 || input.same_as >= 0 || input.unreadable) continue;
    KeptSource &noted = kept(kept_[i]);
    if (!readings[i].format.empty()) noted.format = readings[i].format;
    if (readings[i].hash != 0) noted.reads = readings[i].hash;
    Status status = note_input(sources[i], input, partial.contains(source), &noted);
    if (!status.is_ok()) return status;
  }
  return Status::ok();
}

Status StateInputs::note_input(const Source &source, const Identified::Input &input, bool partial,
                               KeptSource *kept) const {
  kept->name = source.path;
  kept->gone = false;
  kept->file = input.file;
  kept->copies = input.copies;
  const bool has_gaps = close_gaps(kept);
  if (has_gaps || partial) kept->file.size = 0;  // the next run examines it again
  if (!input.is_read()) return Status::ok();
  kept->finished = source.codec != Codec::none;
  Result<Fingerprint> seen = kept->finished ? fingerprint_of_packed(source, kept->end)
                                            : fingerprint(source, input, kept->end);
  if (!seen.is_ok()) return seen.status();
  kept->fingerprint = *seen;
  return Status::ok();
}

Status StateInputs::commit() {
  Manifest manifest = manifest_;
  manifest.sources.clear();
  for (i64 k = 0; k < std::ssize(manifest_.sources); ++k) {
    if (counts(k)) manifest.sources.push_back(kept(k));
  }
  return directory_.commit(std::move(manifest));
}

void TileIndex::add(const KeptSource &source) {
  for (const KeptTile &tile : source.tiles) {
    if (tile.own == 0) continue;  // a stream has no such tiles
    known_.try_emplace({tile.own, tile.end - tile.begin, source.reads, tile.begin == 0}, tile);
  }
}

std::vector<Source::Part> TileIndex::take(i64 source, const std::vector<ContentTile> &tiles,
                                          KeptSource *kept) {
  std::vector<Source::Part> missing;
  for (const ContentTile &tile : tiles) {
    const auto found = known_.find({tile.own, tile.end - tile.begin, kept->reads, tile.begin == 0});
    if (found == known_.end()) {
      missing.push_back({tile.begin, tile.end});
      missing_[{source, tile.begin}] = tile;
      continue;
    }
    KeptTile &taken = kept->tiles.emplace_back(found->second);
    taken.begin = tile.begin, taken.end = tile.end, taken.content = tile.content;
    ++found_;
  }
  return missing;
}

const ContentTile *TileIndex::missing(const Portion &portion) const {
  const auto found = missing_.find({portion.source, portion.begin});
  if (found == missing_.end()) return nullptr;
  const ContentTile &tile = found->second;
  return tile.end == portion.end && tile.content == portion.content ? &tile : nullptr;
}

}  // namespace mrc
