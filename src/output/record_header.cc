#include "fields/fields.h"
#include "output/inner/columns.h"
#include "output/output.h"

namespace mrc {

void append_record_header(const Dialect &dialect, const RowShape &shape, std::string *out) {
  const char separator = dialect.delimiter.value_or(dialect.format->delimiter);
  for (size_t i = 0; i < dialect.names.size(); ++i) {
    if (i > 0) out->push_back(separator);
    const std::string &name = dialect.names[i];
    if (shape.terminal && !shape.raw) {
      append_visible(name, out);
    } else if (!dialect.format->quoted) {
      out->append(name);
    } else if (name.find(separator) != name.npos) {
      append_quoted(name, out);
    } else {
      append_csv(name, out);
    }
  }
  out->push_back(dialect.terminator);
}

}  // namespace mrc
