// A JSON parser of obvious code (RFC 8259): strict, with the text of every value.
#pragma once

#include "unit/base/encode_utf8.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mrc {

struct NaiveJson {
  char kind;                       // { [ " 0 t n
  std::string text;                // as it stands
  std::string meaning;             // of a string
  std::vector<std::string> names;  // of the members of an object
  std::vector<NaiveJson> values;   // of its members, or the elements of an array
};

class NaiveJsonParser {
 public:
  explicit NaiveJsonParser(std::string text) : text_(std::move(text)) {}

  // Nothing if the text is not one value.
  std::optional<NaiveJson> parse() {
    blanks();
    std::optional<NaiveJson> value = any();
    blanks();
    if (!value || at_ != text_.size()) return std::nullopt;
    return value;
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(char c) { return at_ < text_.size() && text_[at_] == c ? (++at_, true) : false; }
  void blanks() {
    while (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r') ++at_;
  }
  bool digits() {
    const size_t begin = at_;
    while (peek() >= '0' && peek() <= '9') ++at_;
    return at_ > begin;
  }

  std::optional<NaiveJson> any() {
    const size_t begin = at_;
    NaiveJson value;
    value.kind = peek();
    const bool right = peek() == '{'                                       ? object(&value)
                       : peek() == '['                                     ? array(&value)
                       : peek() == '"'                                     ? string(&value.meaning)
                       : peek() == '-' || (peek() >= '0' && peek() <= '9') ? number()
                                                                           : word();
    if (!right) return std::nullopt;
    value.text = text_.substr(begin, at_ - begin);
    return value;
  }
  bool object(NaiveJson *value) {
    take('{');
    blanks();
    if (take('}')) return true;
    do {
      blanks();
      std::string name;
      if (!string(&name)) return false;
      blanks();
      if (!take(':')) return false;
      blanks();
      std::optional<NaiveJson> member = any();
      if (!member) return false;
      value->names.push_back(name);
      value->values.push_back(*member);
      blanks();
    } while (take(','));
    return take('}');
  }
  bool array(NaiveJson *value) {
    take('[');
    blanks();
    if (take(']')) return true;
    do {
      blanks();
      std::optional<NaiveJson> element = any();
      if (!element) return false;
      value->values.push_back(*element);
      blanks();
    } while (take(','));
    return take(']');
  }
  bool number() {
    take('-');
    if (!take('0') && !digits()) return false;
    if (take('.') && !digits()) return false;
    if (take('e') || take('E')) {
      if (!take('+')) take('-');
      return digits();
    }
    return true;
  }
  bool word() {
    for (const char *word : {"true", "false", "null"}) {
      if (text_.compare(at_, std::string(word).size(), word) != 0) continue;
      at_ += std::string(word).size();
      return true;
    }
    return false;
  }
  bool string(std::string *meaning) {
    if (!take('"')) return false;
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == '"') return true;
      if (static_cast<unsigned char>(c) < 0x20) return false;
      if (c != '\\') {
        *meaning += c;
      } else if (!escape(meaning)) {
        return false;
      }
    }
    return false;
  }
  bool escape(std::string *meaning) {
    static const std::string kNames = "\"\\/bfnrt", kBytes = "\"\\/\b\f\n\r\t";
    if (at_ == text_.size()) return false;
    const char c = text_[at_++];
    if (size_t k = kNames.find(c); k != std::string::npos) return *meaning += kBytes[k], true;
    if (c != 'u') return false;
    int code = unit();
    if (code >= 0xD800 && code < 0xDC00) {
      if (!take('\\') || !take('u')) return false;
      const int low = unit();
      if (low < 0xDC00 || low > 0xDFFF) return false;
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    } else if (code < 0 || (code >= 0xDC00 && code < 0xE000)) {
      return false;
    }
    *meaning += encode_utf8(static_cast<u32>(code));
    return true;
  }
  int unit() {
    int code = 0;
    for (int i = 0; i < 4; ++i, ++at_) {
      const char c = peek();
      const int digit = c >= '0' && c <= '9'   ? c - '0'
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                               : -1;
      if (digit < 0) return -1;
      code = 16 * code + digit;
    }
    return code;
  }

  std::string text_;
  size_t at_ = 0;
};

}  // namespace mrc
