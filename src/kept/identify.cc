// The steps are ordered by cost. Most inputs are known by their files, and two short reads confirm
// each. The remaining inputs, the strangers, are compared by content with all kept sources and with
// each other, but only with those that begin with the same 4 KiB. Shorter strangers may take over
// short sources whose own files are gone.
#include "kept/inner/identification.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {

void Identification::claim(i64 i, i64 k) {
  input(i).kept = k;
  input(i).read_from = kept(k).end;
  if (input(i).heads.levels == 0) input(i).heads = kept(k).fingerprint.heads;
  claimer(k) = i;
}

// Drops the kept source of the input's file: its content is the beginning of this one.
void Identification::absorb_fallback(i64 i) {
  i64 &fallback = fallbacks_[static_cast<size_t>(i)];
  if (fallback >= 0) absorbed_[static_cast<size_t>(fallback)] = true;
  fallback = -1;
}

void Identification::make_same(i64 i, i64 other) {
  const FileStamp file = input(i).file;
  input(i) = {};
  input(i).same_as = other;
  input(i).file = file;
}

void Identification::leave(i64 i, const std::string &why) {
  input(i).unreadable = true;
  found_.notes.push_back(why + "; it is left for the next run");
}

void Identification::look_at_front(i64 i) {
  if (is_settled(i)) return;
  const Result<Front> front = front_of(source(i));
  if (!front.is_ok()) return leave(i, front.status().message());
  input(i).heads = Heads::of(front->bytes);
  starts_[static_cast<size_t>(i)] = front->bytes.substr(0, static_cast<size_t>(Heads::kLeast));
  // A damaged beginning this short may belong to any content: gzip may still be writing the file.
  if (!front->damage.empty() && input(i).heads.levels == 0) leave(i, front->damage);
}

void Identification::compare() {
  std::unordered_map<u64, std::vector<Member>> groups;
  for (i64 i = 0; i < std::ssize(sources_); ++i) {
    const Heads &heads = input(i).heads;
    if (is_settled(i) || heads.levels == 0) continue;
    Member &stranger = groups[heads.hash[0]].emplace_back();
    stranger.source = &source(i), stranger.input = i, stranger.heads = heads;
  }
  for (auto &[head, members] : groups) {
    const auto found = kept_by_head_.find(head);
    const std::vector<i64> alike =
        found == kept_by_head_.end() ? std::vector<i64>() : found->second;
    if (alike.empty() && members.size() == 1) continue;
    for (const i64 k : alike) {
      const i64 by = claimer(k);
      if (by < 0 || input(by).unreadable) continue;
      Member &known = members.emplace_back();
      known.source = &source(by), known.input = by, known.kept = k;
      known.heads = kept(k).fingerprint.heads;
    }
    compare_contents(manifest_, hash_, alike, &members);
    settle(members);
  }
}

// Settles the members that are not parts of others: each continues a source or is new. The parts
// follow.
void Identification::settle(const std::vector<Member> &members) {
  std::vector<const Member *> whole;
  for (const Member &member : members) {
    if (!member.fault.empty() && member.is_stranger()) leave(member.input, member.fault);
    if (member.part_of < 0) {
      whole.push_back(&member);
      continue;
    }
    const Member *other = &member;
    while (other->part_of >= 0) other = &members[static_cast<size_t>(other->part_of)];
    take_over(member, other->input);
  }
  const auto length = [](const Member *member) {
    return member->contents ? member->contents->length : 0;
  };
  std::stable_sort(whole.begin(), whole.end(),
                   [&](const Member *a, const Member *b) { return length(a) > length(b); });
  for (const Member *member : whole) {
    if (!is_settled(member->input)) settle_stranger(*member);
  }
}

// Gives the source of the part to input `by`, which has all its content and perhaps more.
void Identification::take_over(const Member &part, i64 by) {
  if (part.kept >= 0) {
    claimer(part.kept) = -1;
    absorbed_[static_cast<size_t>(part.kept)] = is_settled(by);
    // If the file of the part was edited, its kept states may not match its content.
    const bool is_known = !may_be_edited_ || input(part.input).unchanged;
    if (!is_settled(by) && is_known) claim(by, part.kept);
    absorb_fallback(by);
  }
  absorb_fallback(part.input);
  make_same(part.input, by);
}

void Identification::settle_stranger(const Member &member) {
  const auto is_free = [&](i64 k) { return k >= 0 && claimer(k) < 0; };
  const auto found = std::find_if(member.goes_on.begin(), member.goes_on.end(), is_free);
  const bool goes_on = found != member.goes_on.end();
  const i64 k = goes_on ? *found : member.begins;
  if (!is_free(k) || (!goes_on && may_be_edited_)) return;
  claim(member.input, k);
  input(member.input).unchanged = !goes_on;
  absorb_fallback(member.input);
}

void Identification::compare_short() {
  for (i64 i = 0; i < std::ssize(sources_); ++i) {
    const i64 k = fallbacks_[static_cast<size_t>(i)];
    // A source of no bytes says nothing: it waits until copies are found.
    if (k >= 0 && !is_settled(i) && kept(k).end > 0) claim(i, k);
  }
  ShortContents free(hash_);
  for (i64 k = 0; k < std::ssize(manifest_.sources); ++k) {
    const i64 end = kept(k).end;
    if (claimer(k) < 0 && end > 0 && end < Heads::kLeast) free.add(k, kept(k));
  }
  std::vector<i64> left;
  for (i64 i = 0; i < std::ssize(sources_); ++i) {
    if (!is_settled(i)) left.push_back(i);
  }
  for (const auto find : {&ShortContents::take_equal, &ShortContents::take_beginning}) {
    for (const i64 i : left) {
      const std::string &start = starts_[static_cast<size_t>(i)];
      const i64 k = is_settled(i) ? -1 : (free.*find)(start);
      if (k >= 0) claim(i, k);
    }
  }
  for (const i64 i : left) {
    const i64 k = fallbacks_[static_cast<size_t>(i)];
    if (k >= 0 && !is_settled(i)) claim(i, k);
  }
}

void Identification::name_the_gone() {
  // Does not call a file gone that just cannot be read now.
  for (i64 i = 0; i < std::ssize(sources_); ++i) {
    if (!input(i).unreadable || input(i).kept >= 0) continue;
    const auto found = kept_by_file_.find(id_of(input(i).file));
    if (found == kept_by_file_.end()) continue;
    for (const i64 k : found->second) {
      if (claimer(k) < 0 && input(i).kept < 0) claim(i, k);
    }
  }
  for (i64 k = 0; k < std::ssize(manifest_.sources); ++k) {
    if (claimer(k) >= 0) continue;
    found_.gone.push_back(k);
    if (absorbed_[static_cast<size_t>(k)]) found_.absorbed.push_back(k);
  }
}

void Identification::note_same() {
  i64 count = 0, first = -1;
  for (i64 i = 0; i < std::ssize(sources_); ++i) {
    i64 &same_as = input(i).same_as;
    if (same_as < 0) continue;
    while (input(same_as).same_as >= 0) same_as = input(same_as).same_as;
    const FileStamp &file = input(i).file;
    if (id_of(file) != id_of(input(same_as).file)) input(same_as).copies.push_back(file);
    if (count++ == 0) first = i;
  }
  if (count == 0) return;
  std::string note = fmt::format("{} has what is in {}: it is counted once", source(first).name(),
                                 source(input(first).same_as).name());
  if (count == 2) note += "; 1 more input is a copy";
  if (count > 2) note += fmt::format("; {} more inputs are copies", count - 1);
  found_.notes.push_back(std::move(note));
}

Identified Identification::run() {
  const i64 n = std::ssize(sources_);
  found_.inputs.resize(sources_.size());
  fallbacks_.assign(sources_.size(), -1);
  starts_.resize(sources_.size());
  claimers_.assign(manifest_.sources.size(), -1);
  absorbed_.assign(manifest_.sources.size(), false);
  index_kept();
  for (i64 i = 0; i < n; ++i) look_at_file(i);
  for (i64 i = 0; i < n; ++i) find_copy(i);
  for (i64 i = 0; i < n; ++i) find_by_packed(i);
  for (i64 i = 0; i < n; ++i) look_at_front(i);
  compare();
  compare_short();
  name_the_gone();
  note_same();
  return std::move(found_);
}

Identified identify(const std::vector<Source> &sources, const Manifest &manifest,
                    const ContentHash &hash, Change change) {
  return Identification(sources, manifest, hash, change).run();
}

// Most inputs are known by their files: device and inode are equal, and so are the first bytes and
// those before the mark. Compressed files are compared as stored.

void Identification::index_kept() {
  for (i64 k = 0; k < std::ssize(manifest_.sources); ++k) {
    kept_by_file_[id_of(kept(k).file)].push_back(k);
    for (const FileStamp &copy : kept(k).copies) copies_[id_of(copy)] = {k, &copy};
    if (kept(k).file.packed) kept_by_packed_[packed_id_of(kept(k).file)] = k;
    const Heads &heads = kept(k).fingerprint.heads;
    if (heads.levels > 0) kept_by_head_[heads.hash[0]].push_back(k);
  }
  for (auto &[id, all] : kept_by_file_) {
    std::sort(all.begin(), all.end(), [&](i64 a, i64 b) { return kept(a).end > kept(b).end; });
  }
}

void Identification::look_at_file(i64 i) {
  const Result<InputFile> file = InputFile::open(source(i));
  Status status = file.status();
  if (file.is_ok()) {
    const Result<FileStamp> stamp = stamp_of(source(i), *file);
    status = stamp.status();
    if (stamp.is_ok()) {
      input(i).file = *stamp;
      const auto [first, is_new] = input_by_file_.try_emplace(id_of(*stamp), i);
      if (!is_new) return make_same(i, first->second);
      status = find_by_file(i, *file);
    }
  }
  if (status.is_ok()) return;
  if (input(i).file.inode == 0) input(i).file = place_of(source(i));
  leave(i, status.message());
}

Status Identification::find_by_file(i64 i, const InputFile &file) {
  const auto found = kept_by_file_.find(id_of(input(i).file));
  if (found == kept_by_file_.end()) return Status::ok();
  for (const i64 k : found->second) {
    const Result<bool> is = is_by_file(i, file, k);
    if (!is.is_ok()) {
      claim(i, k);
      return is.status();
    }
    if (is_settled(i) || fallbacks_[static_cast<size_t>(i)] >= 0) break;
  }
  return Status::ok();
}

// Claims the source. If so little is kept of it that the input may be another one (a copy that was
// just begun), makes it the fallback.
Result<bool> Identification::is_by_file(i64 i, const InputFile &file, i64 k) {
  const FileStamp &now = input(i).file, &then = kept(k).file;
  if (now.packed != then.packed) return false;
  if (now.packed) {
    if (packed_id_of(now) != packed_id_of(then)) return false;
    claim(i, k);
    input(i).unchanged = true;
    return true;
  }
  if (now.size < kept(k).end) return false;
  const Result<bool> alike = looks_like(file, kept(k), hash_);
  if (!alike.is_ok() || !*alike) return alike;
  const bool unchanged = now == then;
  const bool little = now.size < Heads::kLeast ? kept(k).end == 0 : kept(k).end < Heads::kLeast;
  if (little && !unchanged) {
    fallbacks_[static_cast<size_t>(i)] = k;
    return true;
  }
  claim(i, k);
  input(i).unchanged = unchanged;
  return true;
}

// Recognizes a file that was found to be a copy and has not changed since.
void Identification::find_copy(i64 i) {
  if (is_settled(i)) return;
  const auto found = copies_.find(id_of(input(i).file));
  if (found == copies_.end() || *found->second.second != input(i).file) return;
  const i64 k = found->second.first;
  const Result<Front> front = front_of(source(i));
  if (!front.is_ok()) return leave(i, front.status().message());
  const Heads now = Heads::of(front->bytes), &then = kept(k).fingerprint.heads;
  const i64 both = std::min(now.levels, then.levels) * Heads::kLeast;
  if (both == 0 || now.up_to(both) != then.up_to(both)) return;
  if (claimer(k) >= 0) {
    if (!may_be_edited_ || input(claimer(k)).unchanged) make_same(i, claimer(k));
    return;
  }
  if (may_be_edited_ && (input(i).file.packed || input(i).file.size < kept(k).end)) return;
  claim(i, k);
  input(i).unchanged = true;
}

// Recognizes a compressed file that was renamed or copied.
void Identification::find_by_packed(i64 i) {
  if (is_settled(i) || !input(i).file.packed) return;
  const auto found = kept_by_packed_.find(packed_id_of(input(i).file));
  if (found == kept_by_packed_.end()) return;
  const i64 k = found->second;
  if (claimer(k) < 0) {
    claim(i, k);
    input(i).unchanged = true;
  } else if (kept(k).end >= Heads::kLeast) {
    make_same(i, claimer(k));
  }
}

}  // namespace mrc
