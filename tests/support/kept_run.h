// A run that keeps what it has read, as simply as can be: for tests of identify(). Instead of
// states it keeps the lines themselves.
#pragma once

#include "base/hash.h"
#include "input/stream.h"
#include "kept/identify.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace mrc {

// What is in a file, decompressed as far as that goes.
inline std::string contents_of(const Source &source, bool *damaged) {
  std::string text;
  *damaged = false;
  Result<InputFile> file = InputFile::open(source);
  if (!file.is_ok()) return text;
  BufferedReader reader(std::move(*file));
  Result<std::unique_ptr<Stream>> stream = open_stream(source.codec, &reader);
  if (!stream.is_ok()) return text;
  char piece[1 << 16];
  for (;;) {
    const Result<i64> got = (*stream)->read(piece, sizeof piece);
    *damaged = !got.is_ok();
    if (!got.is_ok() || *got == 0) return text;
    text.append(piece, static_cast<size_t>(*got));
  }
}

class KeptRun {
 public:
  KeptRun() : manifest_(Manifest::fresh()), hash_(manifest_.content_base) {}

  // Reads what is new in the files at `paths`, up to the last line end of each. The names of what
  // is read, and from where: "a.log:0 b.log:17".
  std::string run(const std::vector<std::string> &paths) {
    std::vector<Source> sources;
    for (const std::string &path : paths) {
      Result<Source> source = examine(path);
      if (source.is_ok()) sources.push_back(std::move(*source));
    }
    found_ = identify(sources, manifest_, hash_);
    std::string read;
    for (KeptSource &source : manifest_.sources) source.gone = false;
    for (const i64 k : found_.gone) manifest_.sources[static_cast<size_t>(k)].gone = true;
    for (size_t i = 0; i < sources.size(); ++i) take(sources[i], found_.inputs[i], &read);
    drop_absorbed();
    return read;
  }

  // Each line that was read and is kept, and how often.
  std::map<std::string, i64> lines() const {
    std::map<std::string, i64> all;
    for (const auto &[number, text] : text_) {
      for (size_t at = 0; at < text.size();) {
        const size_t end = text.find('\n', at);
        ++all[text.substr(at, end - at)];
        at = end + 1;
      }
    }
    return all;
  }
  const Manifest &manifest() const { return manifest_; }
  const Identified &found() const { return found_; }

 private:
  void take(const Source &source, const Identified::Input &input, std::string *read) {
    if (input.same_as >= 0 || input.unreadable) return;
    KeptSource *kept = nullptr;
    if (input.kept >= 0) {
      kept = &manifest_.sources[static_cast<size_t>(input.kept)];
    } else {
      kept = &manifest_.sources.emplace_back();
      kept->number = manifest_.next_source++;
    }
    kept->name = source.path;
    kept->file = input.file;
    kept->copies = input.copies;
    if (!input.is_read()) return;
    const std::string name = source.path.substr(source.path.rfind('/') + 1);
    *read += (read->empty() ? "" : " ") + name + ":" + std::to_string(input.read_from);
    bool damaged = false;
    const std::string text = contents_of(source, &damaged);
    if (source.codec == Codec::none && std::ssize(text) != source.end) std::abort();
    go_on(text, input.read_from, kept);
    kept->finished = source.codec != Codec::none && !damaged;
    kept->fingerprint = fingerprint_now(source, input, text, kept->end);
  }

  // Tiles end at multiples of 10,000, as if that were the size of tiles, and at the mark.
  void go_on(const std::string &text, i64 from, KeptSource *kept) {
    std::string &lines = text_[kept->number];
    if (std::ssize(lines) != from) std::abort();
    const i64 mark = static_cast<i64>(text.rfind('\n') + 1);
    for (i64 begin = from; begin < mark;) {
      const i64 end = std::min(mark, (begin / 10000 + 1) * 10000);
      const auto piece =
          Bytes(text).substr(static_cast<size_t>(begin), static_cast<size_t>(end - begin));
      kept->tiles.push_back({{.begin = begin, .end = end, .content = hash_.of(begin, piece)}});
      lines += piece;
      begin = end;
    }
    kept->end = std::max(from, mark);
  }

  static Fingerprint fingerprint_now(const Source &source, const Identified::Input &input,
                                     const std::string &text, i64 end) {
    if (source.codec == Codec::none) {
      const Result<Fingerprint> print = fingerprint(source, input, end);
      if (!print.is_ok()) std::abort();
      return *print;
    }
    const Bytes covered = Bytes(text).substr(0, static_cast<size_t>(end));
    const auto tail = static_cast<size_t>(std::min(end, Fingerprint::kTail));
    return fingerprint_of(covered.substr(0, static_cast<size_t>(Heads::kMost)),
                          covered.substr(covered.size() - tail));
  }

  void drop_absorbed() {
    for (auto k = found_.absorbed.rbegin(); k != found_.absorbed.rend(); ++k) {
      text_.erase(manifest_.sources[static_cast<size_t>(*k)].number);
      manifest_.sources.erase(manifest_.sources.begin() + *k);
    }
  }

  Manifest manifest_;
  ContentHash hash_;
  Identified found_;
  std::map<i64, std::string> text_;  // what is kept, by number of the source
};

}  // namespace mrc
