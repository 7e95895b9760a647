#include "split/line_groups.h"

#include <string.h>

#include <algorithm>

namespace mrc {

LineGroups::Verdict LineGroups::look(const char *line, const char *end, bool at_end) const {
  if (line == end && at_end) return Verdict::begins;
  const i64 size = std::min<i64>(kHead, end - line);
  const void *found = memchr(line, terminator, static_cast<size_t>(size));
  if (found == nullptr && size < kHead && !at_end) return Verdict::unknown;
  const char *stop = found == nullptr ? line + size : static_cast<const char *>(found);
  const Bytes head(line, static_cast<size_t>(stop - line));
  return begins(head) ? Verdict::begins : Verdict::goes_on;
}

LineGroups::Found LineGroups::first(const char *begin, const char *limit, const char *end,
                                    bool at_end) const {
  while (begin < limit) {
    const void *found = memchr(begin, terminator, static_cast<size_t>(limit - begin));
    if (found == nullptr) break;
    const char *cut = static_cast<const char *>(found);
    const Verdict verdict = look(cut + 1, end, at_end);
    if (verdict == Verdict::begins) return {cut, nullptr};
    if (verdict == Verdict::unknown) return {nullptr, cut};
    begin = cut + 1;
  }
  return {nullptr, limit};
}

const char *LineGroups::last(const char *begin, const char *end) const {
  for (const char *stop = end; stop > begin;) {
    const void *found = memrchr(begin, terminator, static_cast<size_t>(stop - begin));
    if (found == nullptr) return nullptr;
    stop = static_cast<const char *>(found);
    if (look(stop + 1, end, false) == Verdict::begins) return stop;
  }
  return nullptr;
}

const char *LineGroups::begin_of(const char *line, const char *least, const char *end) const {
  while (line > least && look(line, end, true) != Verdict::begins) {
    const void *before = memrchr(least, terminator, static_cast<size_t>(line - 1 - least));
    line = before == nullptr ? least : static_cast<const char *>(before) + 1;
  }
  return line;
}

}  // namespace mrc
