// Buckets of text: letters of one case, and parts of paths and URLs.
#include "expr/buckets.h"
#include "expr/url.h"

#include <algorithm>

namespace mrc {
namespace {

// Letters of ASCII only: other bytes stay, whatever they encode.
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }
char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c & ~0x20) : c; }

void append_mapped(Bytes text, char (*map)(char), std::string *out) {
  const size_t before = out->size();
  out->append(text);
  std::transform(out->begin() + static_cast<std::ptrdiff_t>(before), out->end(),
                 out->begin() + static_cast<std::ptrdiff_t>(before), map);
}

bool append_lower(Bytes value, std::string *out) {
  append_mapped(value, lower, out);
  return true;
}

bool append_upper(Bytes value, std::string *out) {
  append_mapped(value, upper, out);
  return true;
}

// Without user and port, in lower case: hosts have no case.
bool append_host(Bytes url, std::string *out) {
  const Bytes host = host_of(url);
  if (host.empty()) return false;
  append_mapped(host, lower, out);
  return true;
}

// Up to the last slash, without it but for the root.
bool append_directory(Bytes value, std::string *out) {
  const Bytes path = path_of(value);
  const size_t slash = path.rfind('/');
  if (slash == Bytes::npos) return false;
  out->append(slash == 0 ? Bytes("/") : path.substr(0, slash));
  return true;
}

// "-" if there is none, as for a missing value in a log.
bool append_extension(Bytes value, std::string *out) {
  const Bytes path = path_of(value);
  const Bytes name = path.substr(path.rfind('/') + 1);
  const size_t point = name.rfind('.');
  const bool has = point != Bytes::npos && point > 0 && point + 1 < name.size();
  append_mapped(has ? name.substr(point + 1) : Bytes("-"), lower, out);
  return true;
}

class TextBucket : public Bucket {
 public:
  using Append = bool (*)(Bytes value, std::string *out);
  explicit TextBucket(Append how) : append_(how) {}
  bool append(Bytes value, std::string *out) const override {
    return value.data() != nullptr && append_(value, out);
  }
  bool is_number() const override { return false; }

 private:
  Append append_;
};

struct NamedAppend {
  std::string_view name;
  TextBucket::Append append;
};
constexpr NamedAppend kNamed[] = {
    {"lower", append_lower},   {"upper", append_upper},   {"host", append_host},
    {"dir", append_directory}, {"ext", append_extension},
};

}  // namespace

BucketOrNone make_text_bucket(std::string_view text) {
  for (const NamedAppend &named : kNamed) {
    if (text == named.name) return BucketOrNone(std::make_shared<TextBucket>(named.append));
  }
  return BucketOrNone(nullptr);
}

}  // namespace mrc
