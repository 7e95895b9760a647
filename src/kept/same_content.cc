// Compares the contents of inputs with those of kept sources: those of at least 4 KiB with each
// other, shorter ones with the beginnings of inputs.
#include "kept/inner/identification.h"
#include "kept/kept.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace mrc {
namespace {

// Counts the contents of which one may be the beginning of the other, by their heads.
// Two contents meet if their heads agree on all levels that both have. To count them without
// comparing each pair, heads are paths down a tree: contents meet if one path is a prefix of the
// other.
class HeadIndex {
 public:
  void add(const Heads &heads) {
    for (i64 level = 0; level < heads.levels; ++level) ++passing_[node(heads, level)];
    if (heads.levels > 0) ++ending_[node(heads, heads.levels - 1)];
  }
  // Returns how many of the added heads meet `heads`.
  i64 meeting(const Heads &heads) const {
    if (heads.levels == 0) return 0;
    i64 count = count_in(passing_, node(heads, heads.levels - 1));
    for (i64 level = 0; level + 1 < heads.levels; ++level) {
      count += count_in(ending_, node(heads, level));
    }
    return count;
  }

 private:
  using Counts = std::unordered_map<u64, i64>;

  static u64 node(const Heads &heads, i64 level) {
    return heads.hash[static_cast<size_t>(level)] + static_cast<u64>(level);
  }
  static i64 count_in(const Counts &counts, u64 at) {
    const auto found = counts.find(at);
    return found == counts.end() ? 0 : found->second;
  }

  Counts passing_, ending_;
};

// Contents are compared by the hashes of their beginnings, so each is read once even if there are
// many others: while it is read, its hash is looked up at the length of each other content. Inputs
// that may begin each other are read a second time, because the lengths of compressed inputs are
// only known after reading them.
//
// In the worst case, it reads each content whose heads meet those of another one.

// The length and hash of a content or of its beginning.
struct Whole {
  i64 length;
  u64 hash;
  bool operator==(const Whole &) const = default;
};
struct HashOfWhole {
  size_t operator()(const Whole &whole) const {
    return whole.hash ^ static_cast<u64>(whole.length) * 0x9E3779B97F4A7C15;
  }
};

// The content of an input up to each tile border that it reaches, in ascending order.
using Borders = std::vector<Whole>;

// True if the input agrees with all tiles that end within it.
bool tiles_agree(const KeptSource &kept, const Borders &borders) {
  u64 hash = 0;
  auto at = borders.begin();
  for (const KeptTile &tile : kept.tiles) {
    hash = ContentHash::join(hash, tile.content);
    const auto is_before = [](const Whole &border, i64 end) { return border.length < end; };
    at = std::lower_bound(at, borders.end(), tile.end, is_before);
    if (at == borders.end()) return true;
    if (*at != Whole{tile.end, hash}) return false;
  }
  return true;
}

class Comparison {
 public:
  Comparison(const Manifest &manifest, const ContentHash &hash, const std::vector<i64> &kept,
             std::vector<Member> *members)
      : manifest_(manifest), hash_(hash), kept_(kept), members_(*members) {}

  void with_kept();
  void with_each_other();

 private:
  using At = std::function<void(i64 offset, u64 hash)>;

  const KeptSource &source(i64 kept) const { return manifest_.sources[static_cast<size_t>(kept)]; }
  void read(Member *member, std::span<const i64> offsets, const At &at);
  void index_kept();
  void compare_with_kept(Member *member, std::span<const i64> offsets);
  void find_longer(Member *member, const Borders &borders) const;
  std::vector<size_t> those_that_meet();
  void link(std::span<const size_t> ascending);

  const Manifest &manifest_;
  const ContentHash &hash_;
  const std::vector<i64> &kept_;
  std::vector<Member> &members_;

  HeadIndex kept_heads_;
  std::unordered_map<Whole, std::vector<i64>, HashOfWhole> kept_by_content_;
  // Maps the hash of each level of heads to the kept sources that no input belongs to yet.
  std::unordered_map<u64, std::vector<i64>> kept_by_head_;
};

void Comparison::read(Member *member, std::span<const i64> offsets, const At &at) {
  Result<Contents> contents = read_contents(*member->source, hash_, offsets, at);
  if (contents.is_ok()) {
    member->contents = *contents;
  } else {
    member->fault = contents.status().message();
  }
}

void Comparison::index_kept() {
  std::unordered_set<i64> known;
  for (const Member &member : members_) known.insert(member.kept);
  for (const i64 kept : kept_) {
    const Heads &heads = source(kept).fingerprint.heads;
    kept_heads_.add(heads);
    kept_by_content_[{source(kept).end, source(kept).content()}].push_back(kept);
    if (known.contains(kept)) continue;
    for (size_t i = 0; i < static_cast<size_t>(heads.levels); ++i) {
      kept_by_head_[heads.hash[i]].push_back(kept);
    }
  }
}

// Finds a kept source that is longer than the input and agrees with it in heads and tiles. Its rest
// cannot be compared.
void Comparison::find_longer(Member *member, const Borders &borders) const {
  if (!member->goes_on.empty()) return;
  const auto found =
      kept_by_head_.find(member->heads.hash[static_cast<size_t>(member->heads.levels - 1)]);
  if (found == kept_by_head_.end()) return;
  const auto agrees = [&](i64 kept) {
    return source(kept).end > member->contents->length && tiles_agree(source(kept), borders);
  };
  const auto kept = std::find_if(found->second.begin(), found->second.end(), agrees);
  if (kept != found->second.end()) member->begins = *kept;
}

void Comparison::compare_with_kept(Member *member, std::span<const i64> offsets) {
  Borders borders;
  read(member, offsets, [&](i64 offset, u64 hash) {
    borders.push_back({offset, hash});
    const auto found = kept_by_content_.find({offset, hash});
    if (found == kept_by_content_.end()) return;
    member->goes_on.insert(member->goes_on.begin(), found->second.begin(), found->second.end());
  });
  if (member->contents) find_longer(member, borders);
}

void Comparison::with_kept() {
  index_kept();
  std::vector<i64> offsets;
  for (const i64 kept : kept_) {
    for (const KeptTile &tile : source(kept).tiles) offsets.push_back(tile.end);
  }
  std::sort(offsets.begin(), offsets.end());
  offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
  for (Member &member : members_) {
    if (!member.is_stranger() || kept_heads_.meeting(member.heads) == 0) continue;
    compare_with_kept(&member, offsets);
  }
}

// Returns the members that meet another one, if one of the two is a stranger: known sources are not
// compared with each other again.
std::vector<size_t> Comparison::those_that_meet() {
  HeadIndex strangers, all;
  for (const Member &member : members_) {
    all.add(member.heads);
    if (member.is_stranger()) strangers.add(member.heads);
  }
  std::vector<size_t> met;
  for (size_t i = 0; i < members_.size(); ++i) {
    Member &member = members_[i];
    const bool meets =
        member.is_stranger() ? all.meeting(member.heads) > 1 : strangers.meeting(member.heads) > 0;
    if (!meets || !member.fault.empty()) continue;
    if (!member.contents) read(&member, {}, {});
    if (member.fault.empty()) met.push_back(i);
  }
  return met;
}

// Makes each member a part of the longest member that begins with it.
void Comparison::link(std::span<const size_t> ascending) {
  std::unordered_map<Whole, size_t, HashOfWhole> whole;
  std::vector<i64> lengths;
  for (const size_t i : ascending) {
    Member &member = members_[i];
    const At part_ends = [&](i64 offset, u64 hash) {
      const auto found = whole.find({offset, hash});
      if (found == whole.end()) return;
      Member &part = members_[found->second];
      if (part.is_stranger() || member.is_stranger()) part.part_of = static_cast<i64>(i);
    };
    if (!lengths.empty()) read(&member, lengths, part_ends);
    if (!member.fault.empty()) continue;
    const i64 length = member.contents->length;
    if (lengths.empty() || lengths.back() != length) lengths.push_back(length);
    whole[{length, member.contents->hash}] = i;
  }
}

void Comparison::with_each_other() {
  std::vector<size_t> met = those_that_meet();
  if (met.size() < 2) return;
  // Equal members become parts of the last one, so a known one or the first input comes last.
  std::sort(met.begin(), met.end(), [&](size_t a, size_t b) {
    const Member &x = members_[a], &y = members_[b];
    if (x.contents->length != y.contents->length) return x.contents->length < y.contents->length;
    if (x.is_stranger() != y.is_stranger()) return x.is_stranger();
    return x.input > y.input;
  });
  link(met);
}

}  // namespace

void compare_contents(const Manifest &manifest, const ContentHash &hash,
                      const std::vector<i64> &kept, std::vector<Member> *members) {
  Comparison comparison(manifest, hash, kept, members);
  comparison.with_kept();
  comparison.with_each_other();
}

void ShortContents::add(i64 index, const KeptSource &source) {
  by_end_[source.end][source.content()].push_back({index, !source.gone});
}

i64 ShortContents::take_equal(Bytes start) {
  const auto at = by_end_.find(std::ssize(start));
  if (at == by_end_.end()) return -1;
  const auto found = at->second.find(hash_.of(0, start));
  if (found == at->second.end() || found->second.empty()) return -1;
  std::vector<Entry> &all = found->second;
  const auto best =
      std::find_if(all.begin(), all.end(), [](const Entry &e) { return e.was_there; });
  const auto taken = best == all.end() ? all.begin() : best;
  const i64 index = taken->index;
  all.erase(taken);
  return index;
}

i64 ShortContents::take_beginning(Bytes start) {
  std::vector<Entry> *longest = nullptr;
  i64 at = 0;
  u64 hash = 0;
  for (auto &[end, contents] : by_end_) {
    if (end > std::ssize(start)) break;
    const Bytes piece = start.substr(static_cast<size_t>(at), static_cast<size_t>(end - at));
    hash = ContentHash::join(hash, hash_.of(at, piece));
    at = end;
    const auto found = contents.find(hash);
    if (found == contents.end()) continue;
    std::vector<Entry> &all = found->second;
    if (std::any_of(all.begin(), all.end(), [](const Entry &e) { return e.was_there; })) {
      longest = &all;
    }
  }
  if (longest == nullptr) return -1;
  const auto taken =
      std::find_if(longest->begin(), longest->end(), [](const Entry &e) { return e.was_there; });
  const i64 index = taken->index;
  longest->erase(taken);
  return index;
}

}  // namespace mrc
