#include "map/map.h"

#include "map/lines.h"
#include "map/words.h"

namespace mrc {

std::string_view MapSpec::cut_bytes() const {
  if (records == Records::lines)
    return terminator == '\n' ? std::string_view("\n", 1) : std::string_view("\0", 1);
  if (words == Words::blank) return " \t\n\v\f\r";
  // ASCII that is in no word and joins none: all but letters, digits, '_' and '\''.
  static const std::string between_words = [] {
    std::string bytes;
    for (char c = 0; c >= 0 && c < 0x7F; ++c) {
      bool inside = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                    c == '_' || c == '\'';
      if (!inside) bytes.push_back(c);
    }
    return bytes;
  }();
  return between_words;
}

std::unique_ptr<Mapper> make_mapper(const MapSpec &spec, const Scanner &scanner) {
  return spec.records == MapSpec::Records::lines ? make_line_mapper(spec, scanner)
                                                 : make_word_mapper(spec, scanner);
}

}  // namespace mrc
