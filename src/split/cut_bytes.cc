#include "split/split.h"

#include <string.h>

namespace mrc {

CutBytes::CutBytes(std::string_view bytes) {
  if (bytes.size() == 1) only_ = static_cast<unsigned char>(bytes[0]);
  for (char byte : bytes) cut_[static_cast<unsigned char>(byte)] = true;
}

CutBytes CutBytes::every(i64 size) {
  CutBytes cuts("");
  cuts.every_ = size;
  return cuts;
}

const char *CutBytes::first(const char *begin, const char *end, i64 offset) const {
  if (begin == end) return nullptr;  // both may be null
  if (every_ > 0) {
    const char *cut = begin + (every_ - 1 - offset % every_);
    return cut < end ? cut : nullptr;
  }
  if (only_ >= 0) {
    return static_cast<const char *>(memchr(begin, only_, static_cast<size_t>(end - begin)));
  }
  for (; begin < end; ++begin) {
    if (cut_[static_cast<unsigned char>(*begin)]) return begin;
  }
  return nullptr;
}

const char *CutBytes::last(const char *begin, const char *end, i64 offset) const {
  if (begin == end) return nullptr;
  if (every_ > 0) {
    const char *cut = end - 1 - (offset + (end - begin)) % every_;
    return cut >= begin ? cut : nullptr;
  }
  if (only_ >= 0) {
    return static_cast<const char *>(memrchr(begin, only_, static_cast<size_t>(end - begin)));
  }
  while (begin < end) {
    if (cut_[static_cast<unsigned char>(*--end)]) return end;
  }
  return nullptr;
}

}  // namespace mrc
