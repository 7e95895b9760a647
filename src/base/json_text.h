// Other people's text as JSON.
#pragma once

#include "base/int.h"

#include <string>

namespace mrc {

// A string; bytes that are not UTF-8 as {"bytes":"<base64>"}.
void append_json(Bytes text, std::string *out);

// A value of JSON as it was written, but in one line, and without bytes that a terminal would act
// on. REQUIRES: it is valid
void append_json_value(Bytes value, std::string *out);

}  // namespace mrc
