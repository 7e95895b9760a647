// Most inputs are known by their files: device and inode are equal, and so are the first bytes and
// those before the mark. Compressed files are compared as stored.
#include "kept/inner/identification.h"

#include <algorithm>

namespace mrc {

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
