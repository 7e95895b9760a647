#include "expr/inner/url.h"

#include <algorithm>

namespace mrc {
namespace {

// The parts of an authority.
struct Authority {
  Bytes user, host, port;
};
Authority parts_of(Bytes authority) {
  Authority parts;
  if (const size_t at = authority.rfind('@'); at != Bytes::npos) {
    parts.user = authority.substr(0, at);
    authority.remove_prefix(at + 1);
  }
  const size_t end = authority.starts_with('[') ? authority.find(']') : authority.find(':');
  if (authority.starts_with('[')) {  // an IPv6 address
    if (end == Bytes::npos) return {};
    parts.host = authority.substr(1, end - 1);
    authority.remove_prefix(end + 1);
  } else {
    parts.host = authority.substr(0, end);
    authority.remove_prefix(std::min(end, authority.size()));
  }
  if (authority.starts_with(':')) parts.port = authority.substr(1);
  if (parts.host.empty()) parts.host = {};
  return parts;
}

}  // namespace

Bytes authority_of(Bytes url) {
  const size_t slashes = url.find("//");
  if (slashes == Bytes::npos || (slashes != 0 && url[slashes - 1] != ':')) return {};
  // A scheme has no slash, question mark or blank.
  if (url.substr(0, slashes).find_first_of("/?# ") != Bytes::npos) return {};
  const Bytes rest = url.substr(slashes + 2);
  return rest.substr(0, rest.find_first_of("/?#"));
}

Bytes scheme_of(Bytes url) {
  const Bytes authority = authority_of(url);
  if (authority.data() == nullptr || url.starts_with("//")) return {};
  return url.substr(0, url.find("://"));
}

Bytes user_of(Bytes url) { return parts_of(authority_of(url)).user; }
Bytes host_of(Bytes url) { return parts_of(authority_of(url)).host; }
Bytes port_of(Bytes url) { return parts_of(authority_of(url)).port; }

Bytes path_of(Bytes url) {
  const Bytes authority = authority_of(url);
  // A request may begin with "//", which is equal to "/". A host follows "//" only after a scheme.
  if (authority.data() != nullptr && !url.starts_with("//")) {
    url.remove_prefix(static_cast<size_t>(authority.data() + authority.size() - url.data()));
  }
  return url.substr(0, url.find_first_of("?#"));
}

Bytes query_of(Bytes url) {
  const size_t mark = url.find_first_of("?#");
  if (mark == Bytes::npos || url[mark] == '#') return {};
  const Bytes rest = url.substr(mark + 1);
  return rest.substr(0, rest.find('#'));
}

Bytes fragment_of(Bytes url) {
  const size_t mark = url.find('#');
  return mark == Bytes::npos ? Bytes() : url.substr(mark + 1);
}

}  // namespace mrc
