// A manifest is text, so that people can read and repair it: each line has a name and values. The
// last line is a checksum of all others.
//
//   mrc kept 1                                       2: has tiles by content, or loads
//   version 0.2.0
//   digest 0123456789abcdef
//   base 0123456789abcdef
//   next 17 3                                        run, source
//   tiles 1048576                                    average size of tiles by content
//   job verb count                                   for each line of the job
//   part 15                                          for each run that holds states of all sources
//   text 4096 2 100 1 1                              if the job prints text: its bytes, the source
//   held host,path\x0a                                 printed last, its lines, has header, has
//                                                      record; held text, if there is some
//   used 100                                         records whose values were used
//   first-record 70000 65536 12 no number            the first bad record, and the first-value: its
//   shown x\x092                                       position, that of its chunk, line, why; text
//   loads 4                                          how often mrc load has added files
//   loaded 4096 17 day=2025-11-24/000000-0a1b.csv    for each: its bytes, records and path
//   source 2 81920 0 0 /var/log/access.log           number, mark, finished, gone, name
//   format access
//   open 1                                           if its last record has no end
//   input 1                                          if it is the second input of a join
//   reads 0123456789abcdef                           for tiles by content and joins: a hash of how
//                                                      it is read
//   heads 0123456789abcdef ...                       one for each level
//   tail 0123456789abcdef                            if it is known
//   file 2049 131 90000 1700000000 1700000001        device, inode, size, mtime, ctime
//   packed 0123456789abcdef 0123456789abcdef         if it is compressed: first, last bytes
//   copy 2049 132 ...                                other files with its content, as above
//   answered 12                                      records printed of it, if there are some
//   tile 0 81920 0123456789abcdef 100 0 0 16 0 4     begin, end, content, records, bad records,
//   end 0123456789abcdef                               bad values, run, first block, blocks; for
//                                                      tiles by content: their hash at the front
#include "base/hash.h"
#include "base/one_line.h"
#include "kept/inner/line_values.h"
#include "kept/kept.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

namespace mrc {
namespace {

constexpr std::string_view kFirstOfManifest = "mrc kept ";
constexpr i64 kPlain = 1;  // the version without tiles by content and loads

Status damaged_manifest(const std::string &what) {
  return Status::error("damaged: " + what +
                       "; put back a copy of it, or begin anew with another directory");
}

void append_file(Bytes name, const FileStamp &file, std::string *text) {
  append_formatted(text, FMT_COMPILE("{} {} {} {} {} {}\n"), name, file.device, file.inode,
                   file.size, file.modified_ns, file.changed_ns);
  if (file.packed) {
    append_formatted(text, FMT_COMPILE("packed {:016x} {:016x}\n"), file.packed_head,
                     file.packed_tail);
  }
}

void append_tile(const KeptTile &tile, bool by_content, std::string *text) {
  append_formatted(text, FMT_COMPILE("tile {} {} {:016x} {} {} {} {} {} {}"), tile.begin, tile.end,
                   tile.content, tile.records, tile.bad_records, tile.bad_values, tile.run,
                   tile.first_block, tile.blocks);
  if (by_content) append_formatted(text, FMT_COMPILE(" {:016x}"), tile.own);
  *text += '\n';
}

void append_source(const KeptSource &source, bool by_content, std::string *text) {
  append_formatted(text, FMT_COMPILE("source {} {} {} {} {}\n"), source.number, source.end,
                   int{source.finished}, int{source.gone}, on_one_line(source.name));
  append_formatted(text, FMT_COMPILE("format {}\n"), on_one_line(source.format));
  if (source.open) append_formatted(text, FMT_COMPILE("open 1\n"));
  if (source.input > 0) append_formatted(text, FMT_COMPILE("input {}\n"), source.input);
  if (by_content || source.reads != 0) {
    append_formatted(text, FMT_COMPILE("reads {:016x}\n"), source.reads);
  }
  const Heads &heads = source.fingerprint.heads;
  if (heads.levels > 0) *text += "heads";
  for (size_t i = 0; i < static_cast<size_t>(heads.levels); ++i) {
    append_formatted(text, FMT_COMPILE(" {:016x}"), heads.hash[i]);
  }
  if (heads.levels > 0) *text += '\n';
  if (source.fingerprint.tail) {
    append_formatted(text, FMT_COMPILE("tail {:016x}\n"), *source.fingerprint.tail);
  }
  append_file("file", source.file, text);
  if (source.answered > 0) append_formatted(text, FMT_COMPILE("answered {}\n"), source.answered);
  for (const FileStamp &copy : source.copies) append_file("copy", copy, text);
  for (const KeptTile &tile : source.tiles) append_tile(tile, by_content, text);
}

void append_text(const WrittenText &kept, std::string *text) {
  append_formatted(text, FMT_COMPILE("text {} {} {} {} {}\n"), kept.bytes, kept.source, kept.lines,
                   int{kept.has_header}, int{kept.has_record});
  if (!kept.held.empty()) append_formatted(text, FMT_COMPILE("held {}\n"), on_one_line(kept.held));
}

void append_kept_flaw(Bytes name, const KeptFlaw &flaw, std::string *text) {
  if (flaw == KeptFlaw()) return;
  append_formatted(text, FMT_COMPILE("{} {} {} {} {}\nshown {}\n"), name, flaw.position, flaw.chunk,
                   flaw.line, on_one_line(flaw.reason), on_one_line(flaw.shown));
}

void append_flaws(const KeptFlaws &flaws, std::string *text) {
  if (flaws.used > 0) append_formatted(text, FMT_COMPILE("used {}\n"), flaws.used);
  append_kept_flaw("first-record", flaws.record, text);
  append_kept_flaw("first-value", flaws.value, text);
}

void append_loads(const Manifest &manifest, std::string *text) {
  if (manifest.loads == 0) return;
  append_formatted(text, FMT_COMPILE("loads {}\n"), manifest.loads);
  for (const LoadedFile &file : manifest.loaded) {
    append_formatted(text, FMT_COMPILE("loaded {} {} {}\n"), file.bytes, file.records,
                     on_one_line(file.path));
  }
}

// Fills a manifest line by line. Each function returns false if its line is invalid.
class ManifestReader {
 public:
  explicit ManifestReader(Manifest *manifest) : manifest_(*manifest) {}

  bool read(Bytes line) {
    const size_t blank = std::min(line.find(' '), line.size());
    LineValues values(line.substr(std::min(blank + 1, line.size())));
    const Bytes name = line.substr(0, blank);
    return source_ == nullptr || name == "source" ? read_whole(name, values)
                                                  : read_part(name, values);
  }

 private:
  bool read_whole(Bytes name, LineValues values) {
    if (name == "version") return values.take(&manifest_.mrc_version).ok();
    if (name == "digest") return values.take_hash(&manifest_.digest).ok();
    if (name == "base") return values.take_hash(&manifest_.content_base).ok();
    if (name == "next") {
      return values.take(&manifest_.next_run).take(&manifest_.next_source).ok();
    }
    if (name == "job") {
      std::string line;
      values.take(&line);
      manifest_.job += line + "\n";
      return true;
    }
    if (name == "tiles") return values.take(&manifest_.tile_bytes, 1).ok();
    if (name == "part") return values.take(&manifest_.parts.emplace_back()).ok();
    if (name == "text") return read_text(values);
    if (name == "held" && manifest_.text) return values.take(&manifest_.text->held).ok();
    if (name == "used") return values.take(&manifest_.flaws.used).ok();
    if (name == "first-record") return read_flaw(&manifest_.flaws.record, values);
    if (name == "first-value") return read_flaw(&manifest_.flaws.value, values);
    if (name == "shown" && flaw_ != nullptr) return values.take(&flaw_->shown).ok();
    if (name == "loads") return values.take(&manifest_.loads, 1).ok();
    if (name == "loaded") return manifest_.loads > 0 && read_loaded(values);
    if (name != "source") return false;
    source_ = &manifest_.sources.emplace_back();
    values.take(&source_->number).take(&source_->end).take(&source_->finished);
    return values.take(&source_->gone).take(&source_->name).ok();
  }

  bool read_loaded(LineValues values) {
    LoadedFile &file = manifest_.loaded.emplace_back();
    return values.take(&file.bytes).take(&file.records).take(&file.path).ok();
  }

  bool read_part(Bytes name, LineValues values) {
    if (name == "tile") return read_tile(values);
    if (name == "format") return values.take(&source_->format).ok();
    if (name == "open") return values.take(&source_->open).ok();
    if (name == "input") return values.take(&source_->input).ok();
    if (name == "reads") return values.take_hash(&source_->reads).ok();
    if (name == "heads") return read_heads(values);
    if (name == "tail") return values.take_hash(&source_->fingerprint.tail.emplace()).ok();
    if (name == "file") return read_file(&source_->file, values);
    if (name == "copy") return read_file(&source_->copies.emplace_back(), values);
    if (name == "answered") return values.take(&source_->answered).ok();
    if (name != "packed") return false;
    FileStamp &file = source_->copies.empty() ? source_->file : source_->copies.back();
    file.packed = true;
    return values.take_hash(&file.packed_head).take_hash(&file.packed_tail).ok();
  }

  bool read_flaw(KeptFlaw *flaw, LineValues values) {
    flaw_ = flaw;
    values.take(&flaw->position).take(&flaw->chunk).take(&flaw->line);
    return values.take(&flaw->reason).ok();
  }

  bool read_text(LineValues values) {
    WrittenText &text = manifest_.text.emplace();
    values.take(&text.bytes).take(&text.source, -1).take(&text.lines);
    return values.take(&text.has_header).take(&text.has_record).ok();
  }

  static bool read_file(FileStamp *file, LineValues values) {
    values.take(&file->device).take(&file->inode).take(&file->size);
    return values.take_time(&file->modified_ns).take_time(&file->changed_ns).ok();
  }

  bool read_heads(LineValues values) {
    Heads &heads = source_->fingerprint.heads = {};
    for (; !values.at_end(); ++heads.levels) {
      if (heads.levels == Heads::kLevels) return false;
      values.take_hash(&heads.hash[static_cast<size_t>(heads.levels)]);
    }
    return values.ok();
  }

  bool read_tile(LineValues values) {
    KeptTile &tile = source_->tiles.emplace_back();
    values.take(&tile.begin).take(&tile.end).take_hash(&tile.content).take(&tile.records);
    values.take(&tile.bad_records).take(&tile.bad_values).take(&tile.run, -1);
    values.take(&tile.first_block).take(&tile.blocks);
    if (manifest_.tile_bytes > 0) values.take_hash(&tile.own);
    return values.ok();
  }

  Manifest &manifest_;
  KeptSource *source_ = nullptr;
  KeptFlaw *flaw_ = nullptr;  // the flaw of the line before
};

// Returns what is inconsistent in a source, or "".
std::string fault_of_source(const KeptSource &source, i64 next_run) {
  i64 end = 0;
  for (const KeptTile &tile : source.tiles) {
    if (tile.begin != end || tile.end < tile.begin) {
      return fmt::format("its tiles leave a gap, or overlap, at byte {}", end);
    }
    if (tile.run >= next_run || (tile.run < 0 && tile.blocks > 0)) {
      return fmt::format("there is no run {}", tile.run);
    }
    end = tile.end;
  }
  if (end != source.end) return fmt::format("its tiles end at byte {} of {}", end, source.end);
  if (source.fingerprint.heads.levels > Heads::levels_of(end)) return "it has too many heads";
  return "";
}

Status check(const Manifest &manifest) {
  std::unordered_set<i64> numbers;
  for (const KeptSource &source : manifest.sources) {
    std::string fault = fault_of_source(source, manifest.next_run);
    if (source.number >= manifest.next_source) fault = "its number is too high";
    if (!numbers.insert(source.number).second) fault = "its number is given twice";
    if (fault.empty()) continue;
    return damaged_manifest(fmt::format("source {}: {}", source.number, fault));
  }
  for (const i64 run : manifest.parts) {
    if (run >= manifest.next_run) return damaged_manifest(fmt::format("there is no run {}", run));
  }
  if (manifest.text && manifest.text->source >= std::ssize(manifest.sources)) {
    return damaged_manifest(fmt::format("there is no source {}", manifest.text->source));
  }
  return Status::ok();
}

// Checks the format version in the first line. The second line, for messages, names the mrc that
// wrote it.
Status check_manifest_version(Bytes text) {
  if (!text.starts_with(kFirstOfManifest)) return Status::error("not a manifest of mrc");
  const Bytes first = text.substr(0, text.find('\n'));
  i64 version = 0;
  if (!LineValues(first.substr(kFirstOfManifest.size())).take(&version).ok()) {
    return damaged_manifest("the first line has no version");
  }
  if (version == kPlain || version == Manifest::kVersion) return Status::ok();
  const Bytes rest = text.substr(std::min(first.size() + 1, text.size()));
  const Bytes second = rest.substr(0, rest.find('\n'));
  const std::string writer = second.starts_with("version ")
                                 ? " of mrc " + on_one_line(second.substr(8, 100))
                                 : std::string();
  return Status::error(fmt::format(
      "written in format {}{}; this mrc has format {}: use that mrc, or begin anew elsewhere",
      version, writer, Manifest::kVersion));
}

// Returns the text without its last line, which must be the checksum.
Result<Bytes> checked(Bytes text) {
  const size_t size = std::string_view("end \n").size() + 16;
  if (text.size() < size) return damaged_manifest("it is cut short");
  const Bytes body = text.substr(0, text.size() - size);
  if (text.substr(body.size()) == fmt::format("end {:016x}\n", checksum_bytes(body))) return body;
  return damaged_manifest("its checksum is wrong");
}

}  // namespace

void KeptFlaws::add(const KeptFlaws &other) {
  used += other.used;
  if (other.record.position < record.position) record = other.record;
  if (other.value.position < value.position) value = other.value;
}

u64 KeptSource::content() const {
  u64 sum = 0;
  for (const KeptTile &tile : tiles) sum = ContentHash::join(sum, tile.content);
  return sum;
}

Manifest Manifest::fresh() {
  Manifest manifest;
  manifest.content_base = Seed::random().a;
  return manifest;
}

std::string Manifest::to_text() const {
  std::string all;
  const i64 version = tile_bytes > 0 || loads > 0 ? kVersion : kPlain;
  append_formatted(&all, FMT_COMPILE("{}{}\nversion {}\n"), kFirstOfManifest, version,
                   on_one_line(mrc_version));
  append_formatted(&all, FMT_COMPILE("digest {:016x}\nbase {:016x}\n"), digest, content_base);
  append_formatted(&all, FMT_COMPILE("next {} {}\n"), next_run, next_source);
  if (tile_bytes > 0) append_formatted(&all, FMT_COMPILE("tiles {}\n"), tile_bytes);
  for (Bytes left = job; !left.empty();) {
    const Bytes line = left.substr(0, left.find('\n'));
    append_formatted(&all, FMT_COMPILE("job {}\n"), on_one_line(line));
    left.remove_prefix(std::min(line.size() + 1, left.size()));
  }
  for (const i64 run : parts) append_formatted(&all, FMT_COMPILE("part {}\n"), run);
  if (text) append_text(*text, &all);
  append_flaws(flaws, &all);
  append_loads(*this, &all);
  for (const KeptSource &source : sources) append_source(source, tile_bytes > 0, &all);
  append_formatted(&all, FMT_COMPILE("end {:016x}\n"), checksum_bytes(all));
  return all;
}

Result<Manifest> Manifest::from_text(Bytes text) {
  if (const Status version = check_manifest_version(text); !version.is_ok()) return version;
  Result<Bytes> body = checked(text);
  if (!body.is_ok()) return body.status();
  Manifest manifest;
  ManifestReader reader(&manifest);
  Bytes left = body->substr(std::min(body->find('\n'), body->size() - 1) + 1);
  for (i64 number = 2; !left.empty(); ++number) {
    const Bytes line = left.substr(0, left.find('\n'));
    left.remove_prefix(std::min(line.size() + 1, left.size()));
    if (!reader.read(line)) return damaged_manifest(fmt::format("line {}", number));
  }
  const Status status = check(manifest);
  return status.is_ok() ? Result<Manifest>(std::move(manifest)) : status;
}

bool Manifest::covers_nothing() const {
  const auto is_empty = [](const KeptTile &tile) { return tile.run < 0 && tile.records == 0; };
  const auto has_nothing = [&](const KeptSource &source) {
    return std::ranges::all_of(source.tiles, is_empty);
  };
  return std::ranges::all_of(sources, has_nothing) && parts.empty() && loads == 0 && !text;
}

std::vector<i64> Manifest::runs() const {
  std::vector<i64> numbers = parts;
  for (const KeptSource &source : sources) {
    for (const KeptTile &tile : source.tiles) {
      if (tile.run >= 0) numbers.push_back(tile.run);
    }
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

}  // namespace mrc
