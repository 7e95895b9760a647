// simdjson offers its two stages as one, which converts numbers to doubles. We need its first
// stage, and the text of numbers as written. The stages are in the public header, as parts of
// dom::parser.
#include "fields/inner/json_index.h"

#include <simdjson.h>

#include <new>

namespace mrc {
namespace {

// Enough for the text that is indexed at a time, except for longer records.
constexpr size_t kUsualCapacity = size_t{128} << 10;
// The second stage is ours, so the depth does not matter.
constexpr size_t kDepth = 1;

const char *in_words(simdjson::error_code error) {
  switch (error) {
    case simdjson::UTF8_ERROR: return "invalid UTF-8";
    case simdjson::UNCLOSED_STRING: return "a string that is not closed";
    case simdjson::UNESCAPED_CHARS: return "a control character in a string";
    case simdjson::CAPACITY: return "longer than 4 GiB";
    default: return "no JSON";
  }
}

// Newer versions, such as that of Debian 13, have a parameter for the replacement of lone
// surrogates.
template <typename Stages>
uint8_t *parse_string(const Stages &stages, const uint8_t *from, uint8_t *to) {
  if constexpr (requires { stages.parse_string(from, to, false); }) {
    return stages.parse_string(from, to, false);
  } else {
    return stages.parse_string(from, to);
  }
}

}  // namespace

struct JsonIndex::Parser {
  simdjson::dom::parser parser;
  size_t capacity = 0;
};

JsonIndex::JsonIndex() : parser_(std::make_unique<Parser>()) {}
JsonIndex::~JsonIndex() = default;

const char *JsonIndex::build(Bytes text) {
  static const u32 kNothing = 0;
  places_ = &kNothing;
  if (text.empty()) return nullptr;
  if (text.size() >= simdjson::SIMDJSON_MAXSIZE_BYTES) return in_words(simdjson::CAPACITY);
  if (text.size() > parser_->capacity) {
    const size_t capacity = std::max(kUsualCapacity, text.size() + text.size() / 4);
    parser_->capacity = std::min(capacity, simdjson::SIMDJSON_MAXSIZE_BYTES);
    if (parser_->parser.allocate(parser_->capacity, kDepth) != simdjson::SUCCESS) {
      throw std::bad_alloc();
    }
  }
  auto &stages = *parser_->parser.implementation;
  const auto *bytes = reinterpret_cast<const uint8_t *>(text.data());
  const simdjson::error_code error =
      stages.stage1(bytes, text.size(), simdjson::stage1_mode::regular);
  if (error != simdjson::SUCCESS && error != simdjson::EMPTY) return in_words(error);
  stages.structural_indexes[stages.n_structural_indexes] = static_cast<u32>(text.size());
  places_ = stages.structural_indexes.get();
  return nullptr;
}

char *JsonIndex::unescape(const char *inner, char *to) const {
  const auto *from = reinterpret_cast<const uint8_t *>(inner);
  uint8_t *end =
      parse_string(*parser_->parser.implementation, from, reinterpret_cast<uint8_t *>(to));
  return reinterpret_cast<char *>(end);
}

}  // namespace mrc
