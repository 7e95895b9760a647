// The program that embeds formats has this file, too, so the file uses nothing else of mrc.
#include "fields/format_text.h"

#include <algorithm>
#include <optional>

namespace mrc {
namespace {

struct Line {
  std::string word, text, place;
};

// Returns the text between those of one word that a format has several times; a null pointer if it
// may have the word once; nothing if there is no such word.
std::optional<const char *> joint_of(const std::string &word) {
  if (word == "pattern") return "%|";
  if (word == "names" || word == "kinds") return " ";
  for (const char *once : {"title", "reader", "lines", "mark", "sign"}) {
    if (word == once) return nullptr;
  }
  return std::nullopt;
}

class FormatsReader {
 public:
  WrittenFormats read(std::string_view text, const std::string &path) {
    split(text, path);
    for (const Line &line : lines_) {
      if (formats_.error.empty()) take(line);
    }
    return std::move(formats_);
  }

 private:
  static constexpr std::string_view kContinues = "  +", kBlanks = " \t\r";

  void fail(const std::string &place, const std::string &reason) {
    if (formats_.error.empty()) formats_.error = place + ": " + reason;
  }

  void split(std::string_view text, const std::string &path) {
    for (int number = 1; !text.empty(); ++number) {
      const size_t size = std::min(text.find('\n'), text.size());
      const std::string_view line = text.substr(0, size);
      text.remove_prefix(std::min(size + 1, text.size()));
      add(line.substr(0, line.find_last_not_of(kBlanks) + 1), path + ":" + std::to_string(number));
    }
  }
  void add(std::string_view line, const std::string &place) {
    if (line.starts_with(kContinues)) {
      if (lines_.empty()) return fail(place, "it continues nothing");
      lines_.back().text += line.substr(kContinues.size());
      return;
    }
    line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
    if (line.empty() || line[0] == '#') return;
    const size_t end = std::min(line.find_first_of(kBlanks), line.size());
    const size_t begin = std::min(line.find_first_not_of(kBlanks, end), line.size());
    lines_.push_back({std::string(line.substr(0, end)), std::string(line.substr(begin)), place});
  }

  void take(const Line &line) {
    const std::string text = expanded(line);
    if (line.word == "let") {
      const size_t end = text.find(' ');
      lets_[text.substr(0, end)] = end == text.npos ? "" : text.substr(end + 1);
    } else if (line.word == "format") {
      formats_.all.push_back({line.place, {{"format", text}}});
    } else if (const auto joint = joint_of(line.word)) {
      add_text(line, text, *joint);
    } else {
      formats_.all.push_back({line.place, {{"format", line.word}, {"pattern", text}}});
    }
  }
  // Replaces ${NAME}.
  std::string expanded(const Line &line) {
    std::string text = line.text;
    for (size_t at; (at = text.find("${")) != text.npos;) {
      const size_t end = text.find('}', at);
      const auto let = lets_.find(text.substr(at + 2, end - at - 2));
      if (end == text.npos || let == lets_.end()) {
        fail(line.place, "no let before it has the name after ${");
        return text;
      }
      text.replace(at, end + 1 - at, let->second);
    }
    return text;
  }
  void add_text(const Line &line, const std::string &text, const char *joint) {
    if (formats_.all.empty()) return fail(line.place, "no format begins before it");
    const auto [at, is_new] = formats_.all.back().texts.emplace(line.word, text);
    if (is_new) return;
    if (joint == nullptr) return fail(line.place, "a second " + line.word);
    at->second += joint + text;
  }

  std::vector<Line> lines_;
  std::map<std::string, std::string> lets_;
  WrittenFormats formats_;
};

}  // namespace

std::string WrittenFormat::text(const std::string &word, const std::string &otherwise) const {
  const auto found = texts.find(word);
  return found == texts.end() ? otherwise : found->second;
}

std::string WrittenFormat::pattern() const {
  const std::string lines = text("lines"), pattern = text("pattern");
  return (lines == "joined" || lines == "blocks" ? "%+" : "") + pattern;
}

WrittenFormats read_formats(std::string_view text, const std::string &path) {
  return FormatsReader().read(text, path);
}

}  // namespace mrc
