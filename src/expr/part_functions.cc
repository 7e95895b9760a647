// Functions of the parts of text and of URLs.
#include "base/text.h"
#include "expr/inner/expression_lexer.h"
#include "expr/inner/functions.h"
#include "expr/inner/url.h"
#include "expr/inner/value_nodes.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

// Makes a condition on a text and another one, which is a part of it.
template <auto kHasPart>
ConditionPtr make_has_part(const Expression &call, Compiler *compiler) {
  TextsPtr texts = compiler->texts(call.arguments[0]);
  return make_condition([](const Here &, Bytes text, Bytes part) { return kHasPart(text, part); },
                        std::move(texts), compiler->texts(call.arguments[1]));
}
bool contains(Bytes text, Bytes part) { return text.find(part) != Bytes::npos; }
bool begins(Bytes text, Bytes part) { return text.starts_with(part); }
bool ends(Bytes text, Bytes part) { return text.ends_with(part); }

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

TextsPtr make_url(const Expression &call, Compiler *compiler) {
  const std::string name = compiler->constant(call.arguments[1], "a part of a URL");
  const auto *part = std::ranges::find(kUrlParts, name, &UrlPart::name);
  if (part == std::end(kUrlParts)) {
    return compiler->fail(Status::error(
        fmt::format("{}: no part \"{}\"; there are scheme, user, host, port, path, query, fragment",
                    call.typed, name)));
  }
  return make_values([of = part->of](const Here &, Bytes url) { return of(url); },
                     compiler->texts(call.arguments[0]));
}

TextsPtr make_param(const Expression &call, Compiler *compiler) {
  std::string wanted = compiler->constant(call.arguments[1], "the name of a parameter");
  auto rule = [name = std::move(wanted)](const Here &here, Bytes url) {
    Bytes rest = query_of(url);
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

constexpr Function kFunctions[] = {
    {"contains", "(TEXT, PART)", 2, 2, nullptr, nullptr, make_has_part<contains>},
    {"startswith", "(TEXT, PART)", 2, 2, nullptr, nullptr, make_has_part<begins>},
    {"endswith", "(TEXT, PART)", 2, 2, nullptr, nullptr, make_has_part<ends>},
    {"url", "(TEXT, PART)", 2, 2, nullptr, make_url},
    {"param", "(TEXT, NAME)", 2, 2, nullptr, make_param},
};

}  // namespace

std::span<const Function> part_functions() { return kFunctions; }

}  // namespace mrc
