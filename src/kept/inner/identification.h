// Implements identify(): identify.cc compares files, same_content.cc compares contents.
#pragma once

#include "base/hash.h"
#include "kept/identify.h"
#include "kept/kept.h"

#include <compare>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace mrc {

// An input that is compared by its content.
struct Member {
  const Source *source = nullptr;
  i64 input = 0;  // its index
  Heads heads;
  // The kept source of its file; -1: a stranger. Known sources are compared with strangers only.
  i64 kept = -1;

  // Results of compare_contents():
  std::optional<Contents> contents;  // set if it had to be read
  i64 part_of = -1;                  // index of a member that equals it or begins with it; -1: none
  std::vector<i64> goes_on;          // kept sources that it begins with, the longest first
  i64 begins = -1;                   // a kept source that seems to begin with it; -1: none
  std::string fault;                 // why it cannot be read
  bool is_stranger() const { return kept < 0; }
};

// Compares members that all begin with the same 4 KiB: finds which of them are equal, begin
// another, or continue a kept source. `kept` are the indices of all kept sources that begin with
// them, too.
void compare_contents(const Manifest &manifest, const ContentHash &hash,
                      const std::vector<i64> &kept, std::vector<Member> *members);

// Finds inputs among the kept sources of less than 4 KiB whose own files are gone: an input may be
// one of them, rotated and compressed, or copied and truncated. Each added source is returned at
// most once.
class ShortContents {
 public:
  explicit ShortContents(const ContentHash &hash) : hash_(hash) {}

  void add(i64 index, const KeptSource &source);
  // Returns a source whose content is `start`, the first 4 KiB of an input; -1: none.
  i64 take_equal(Bytes start);
  // Returns the longest source that the input begins with. Ignores sources that were already gone
  // in the last run: a few lines may be the beginning of many inputs.
  i64 take_beginning(Bytes start);

 private:
  struct Entry {
    i64 index;
    bool was_there;
  };
  using AtEnd = std::map<u64, std::vector<Entry>>;  // by content

  const ContentHash &hash_;
  std::map<i64, AtEnd> by_end_;
};

// Identifies a file under any of its names.
struct FileId {
  u64 device, inode;
  bool operator==(const FileId &) const = default;
};
struct HashOfFileId {
  size_t operator()(const FileId &id) const { return id.device * 0x9E3779B97F4A7C15 ^ id.inode; }
};
inline FileId id_of(const FileStamp &file) { return {file.device, file.inode}; }

// Equal for compressed files of the same bytes, as far as we can tell without decompressing them.
struct PackedId {
  i64 size;
  u64 head, tail;
  auto operator<=>(const PackedId &) const = default;
};
inline PackedId packed_id_of(const FileStamp &file) {
  return {file.size, file.packed_head, file.packed_tail};
}

class Identification {
 public:
  Identification(const std::vector<Source> &sources, const Manifest &manifest,
                 const ContentHash &hash, Change change)
      : sources_(sources),
        manifest_(manifest),
        hash_(hash),
        may_be_edited_(change == Change::edits) {}

  Identified run();

 private:
  using Input = Identified::Input;

  Input &input(i64 i) { return found_.inputs[static_cast<size_t>(i)]; }
  const Source &source(i64 i) const { return sources_[static_cast<size_t>(i)]; }
  const KeptSource &kept(i64 k) const { return manifest_.sources[static_cast<size_t>(k)]; }
  i64 &claimer(i64 k) { return claimers_[static_cast<size_t>(k)]; }

  void index_kept();
  void look_at_file(i64 i);
  Status find_by_file(i64 i, const InputFile &file);
  Result<bool> is_by_file(i64 i, const InputFile &file, i64 k);
  void find_copy(i64 i);
  void find_by_packed(i64 i);
  void look_at_front(i64 i);
  void compare();
  void settle(const std::vector<Member> &members);
  void settle_stranger(const Member &member);
  void take_over(const Member &known, i64 by);
  void compare_short();
  void name_the_gone();
  void note_same();

  void claim(i64 i, i64 k);
  void absorb_fallback(i64 i);
  void make_same(i64 i, i64 other);
  void leave(i64 i, const std::string &why);
  bool is_settled(i64 i) {
    return input(i).kept >= 0 || input(i).same_as >= 0 || input(i).unreadable;
  }

  const std::vector<Source> &sources_;
  const Manifest &manifest_;
  const ContentHash &hash_;
  const bool may_be_edited_;

  Identified found_;
  std::vector<i64> claimers_;        // by kept source: the input that claims it; -1: none
  std::vector<i64> fallbacks_;       // by input: the source of its file; content may override it
  std::vector<std::string> starts_;  // by input: the first 4 KiB, of strangers only
  std::vector<bool> absorbed_;       // by kept source
  std::unordered_map<FileId, std::vector<i64>, HashOfFileId> kept_by_file_;
  std::unordered_map<FileId, std::pair<i64, const FileStamp *>, HashOfFileId> copies_;
  std::unordered_map<FileId, i64, HashOfFileId> input_by_file_;
  std::map<PackedId, i64> kept_by_packed_;
  std::unordered_map<u64, std::vector<i64>> kept_by_head_;
};

}  // namespace mrc
