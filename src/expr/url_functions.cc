// Functions of URLs.
#include "base/text.h"
#include "expr/text_calls.h"
#include "expr/text_functions.h"
#include "expr/url.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

using Texts = Result<TextsPtr>;
using One = std::array<Bytes, 1>;

struct UrlPart {
  std::string_view name;
  Bytes (*of)(Bytes url);
};
constexpr UrlPart kUrlParts[] = {
    {"scheme", scheme_of}, {"user", user_of},   {"host", host_of},         {"port", port_of},
    {"path", path_of},     {"query", query_of}, {"fragment", fragment_of},
};

int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// %2F and + become what they stand for.
Bytes decoded(Bytes text, Arena *arena) {
  if (text.find_first_of("%+") == Bytes::npos) return text;
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool escaped = text[i] == '%' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0 &&
                         hex_digit(text[i + 2]) >= 0;
    if (!escaped) {
      out.push_back(text[i] == '+' ? ' ' : text[i]);
      continue;
    }
    out.push_back(static_cast<char>(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2])));
    i += 2;
  }
  return keep_text(out, arena);
}

struct Parameter {
  std::string name;
  Bytes operator()(const One &url, Arena *arena) const {
    Bytes rest = query_of(url[0]);
    while (!rest.empty()) {
      const Bytes one = rest.substr(0, rest.find('&'));
      rest.remove_prefix(std::min(one.size() + 1, rest.size()));
      const size_t equals = std::min(one.find('='), one.size());
      if (decoded(one.substr(0, equals), arena) != name) continue;
      return decoded(one.substr(std::min(equals + 1, one.size())), arena);
    }
    return {};
  }
};

}  // namespace

Texts make_url(const Expression &call, Compiler *compiler) {
  Result<std::string> name = compiler->constant(call.arguments[1], "a part of a URL");
  if (!name.is_ok()) return name.status();
  const auto *part = std::ranges::find(kUrlParts, *name, &UrlPart::name);
  if (part != std::end(kUrlParts)) {
    return texts_of_first(call, compiler,
                          [of = part->of](const One &url, Arena *) { return of(url[0]); });
  }
  return Status::error(
      fmt::format("{}: no part \"{}\"; there are scheme, user, host, port, path, query, fragment",
                  call.typed, *name));
}

Texts make_param(const Expression &call, Compiler *compiler) {
  Result<std::string> name = compiler->constant(call.arguments[1], "the name of a parameter");
  if (!name.is_ok()) return name.status();
  return texts_of_first(call, compiler, Parameter{*name});
}

}  // namespace mrc
