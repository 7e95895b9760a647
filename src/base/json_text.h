// Writes arbitrary bytes as JSON.
#pragma once

#include "base/int.h"

#include <string>

namespace mrc {

// Appends a JSON string, or {"bytes":"<base64>"} if the text is not UTF-8.
void append_json(Bytes text, std::string *out);

// Appends a JSON value as it was written, but on one line and without control characters that a
// terminal would act on. REQUIRES: the value is valid JSON
void append_json_value(Bytes value, std::string *out);

}  // namespace mrc
