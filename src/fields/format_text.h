// Text that describes formats: src/fields/formats, and the user's own file.
//
//   # a comment
//   let NAME TEXT      ${NAME} stands for the text in the rest of the file
//   format NAME        a format begins; the words below belong to it
//   title TEXT         what it is, for users
//   reader NAME        how it is read, a NamedKind: "json-log" is kJsonLogKind; without it: pattern
//   lines NAME         joined: a line that does not fit continues the record before; or a value
//                      of NamedFormat::Lines, of which blocks are joined, too; without it: records
//   mark TEXT          NamedFormat::mark, with the escapes of C
//   sign TEXT          NamedFormat::sign
//   pattern TEXT       a pattern of its lines; the first one that fits counts
//   names TEXT         NamedFormat::rule of another reader
//   kinds TEXT         NamedFormat::kinds
//     +TEXT            continues the text of the line before
//   NAME PATTERN       stands for "format NAME" and "pattern PATTERN"
//
// Texts of several lines `names` or `kinds` have a blank between them. Users' formats have titles,
// lines and patterns only.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace mrc {

struct WrittenFormat {
  std::string place;                         // FILE:LINE, for messages
  std::map<std::string, std::string> texts;  // by their words

  std::string text(const std::string &word, const std::string &otherwise = "") const;
  // Returns the pattern, which says itself if it joins lines.
  std::string pattern() const;
};

struct WrittenFormats {
  std::vector<WrittenFormat> all;
  std::string error;  // "FILE:LINE: REASON", if not all could be read
};
// `path` is the file's, for messages.
WrittenFormats read_formats(std::string_view text, const std::string &path);

}  // namespace mrc
