#include "expr/inner/url.h"

#include "expr/inner/expression_lexer.h"
#include "expr/inner/functions.h"
#include "expr/inner/value_nodes.h"

#include <algorithm>

namespace mrc {
namespace {

// Returns the text before the first of these characters, or all of it. Faster than
// Bytes::find_first_of(), which looks for each character of the text among them.
template <char... kThese>
Bytes before_any(Bytes text) {
  const auto is_end = [](char c) { return ((c == kThese) || ...); };
  return {text.begin(), std::ranges::find_if(text, is_end)};
}

// Returns the text between "//" and the next slash, with or without a scheme before it. A scheme
// has no slash, question mark or blank.
Bytes authority_of(Bytes url) {
  const Bytes scheme = before_any<'/', '?', '#', ' '>(url);
  url.remove_prefix(scheme.size());
  if (!url.starts_with("//") || (!scheme.empty() && !scheme.ends_with(':'))) return {};
  return before_any<'/', '?', '#'>(url.substr(2));
}

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

Bytes scheme_of(Bytes url) {
  const Bytes authority = authority_of(url);
  if (authority.data() == nullptr || url.starts_with("//")) return {};
  return url.substr(0, url.find("://"));
}

Bytes user_of(Bytes url) { return parts_of(authority_of(url)).user; }
Bytes port_of(Bytes url) { return parts_of(authority_of(url)).port; }

// Returns the parameters of a URL, of a request such as "GET /?q=tea HTTP/1.1", or of a query
// alone.
Bytes parameters_of(Bytes text) {
  if (const size_t mark = text.find('?'); mark != Bytes::npos) text.remove_prefix(mark + 1);
  return before_any<'#', ' '>(text);
}

// Returns the text after "?" and before "#".
Bytes query_of(Bytes url) {
  url = before_any<'#'>(url);
  const size_t mark = url.find('?');
  return mark == Bytes::npos ? Bytes() : url.substr(mark + 1);
}

Bytes fragment_of(Bytes url) {
  const size_t mark = url.find('#');
  return mark == Bytes::npos ? Bytes() : url.substr(mark + 1);
}

}  // namespace

Bytes host_of(Bytes url) { return parts_of(authority_of(url)).host; }

Bytes path_of(Bytes url) {
  const Bytes authority = authority_of(url);
  // A request may begin with "//", which is equal to "/". A host follows "//" only after a scheme.
  if (authority.data() != nullptr && !url.starts_with("//")) {
    url.remove_prefix(static_cast<size_t>(authority.data() + authority.size() - url.data()));
  }
  return before_any<'?', '#'>(url);
}

namespace {

struct UrlPart {
  std::string_view name;
  Bytes (*of)(Bytes url);
};
constexpr UrlPart kUrlParts[] = {
    {"scheme", scheme_of}, {"user", user_of},   {"host", host_of},         {"port", port_of},
    {"path", path_of},     {"query", query_of}, {"fragment", fragment_of},
};

// Decodes %2F and +.
Bytes decoded(Bytes text, Arena *arena) {
  if (text.find_first_of("%+") == Bytes::npos) return text;
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const int byte = text[i] == '%' ? hex_byte(text.substr(i + 1)) : -1;
    out.push_back(byte >= 0 ? static_cast<char>(byte) : text[i] == '+' ? ' ' : text[i]);
    if (byte >= 0) i += 2;
  }
  return keep_text(out, arena);
}

TextsPtr make_url(const Expression &call, Compiler *compiler) {
  const std::string name = compiler->constant(call.arguments[1], "a part of a URL");
  const auto *part = std::ranges::find(kUrlParts, name, &UrlPart::name);
  if (part == std::end(kUrlParts)) {
    return compiler->fail(
        "{}: no part \"{}\"; there are scheme, user, host, port, path, query, fragment", call.typed,
        name);
  }
  return make_values([of = part->of](const Here &, Bytes url) { return of(url); },
                     compiler->texts(call.arguments[0]));
}

TextsPtr make_param(const Expression &call, Compiler *compiler) {
  std::string wanted = compiler->constant(call.arguments[1], "the name of a parameter");
  auto rule = [name = std::move(wanted)](const Here &here, Bytes url) {
    Bytes rest = parameters_of(url);
    while (!rest.empty()) {
      const Bytes one = rest.substr(0, rest.find('&'));
      rest.remove_prefix(std::min(one.size() + 1, rest.size()));
      const size_t equals = std::min(one.find('='), one.size());
      if (decoded(one.substr(0, equals), here.arena()) != name) continue;
      return decoded(one.substr(std::min(equals + 1, one.size())), here.arena());
    }
    return Bytes();
  };
  return make_values(std::move(rule), compiler->texts(call.arguments[0]));
}

TextsPtr make_decoded(const Expression &call, Compiler *compiler) {
  return make_values([](const Here &here, Bytes text) { return decoded(text, here.arena()); },
                     compiler->texts(call.arguments[0]));
}

constexpr Function kUrlFunctions[] = {
    {"url", "(TEXT, PART)", 2, 2, nullptr, make_url},
    {"param", "(TEXT, NAME)", 2, 2, nullptr, make_param},
    {"urldecode", "(TEXT)", 1, 1, nullptr, make_decoded},
};

}  // namespace

std::span<const Function> url_functions() { return kUrlFunctions; }

}  // namespace mrc
