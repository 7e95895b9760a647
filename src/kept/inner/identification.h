// Implements identify(), in the order of its steps: known_files.cc compares files, identify.cc
// compares contents.
#pragma once

#include "kept/identify.h"
#include "kept/inner/same_content.h"

#include <compare>
#include <map>
#include <unordered_map>

namespace mrc {

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
