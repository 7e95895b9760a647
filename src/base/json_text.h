// Other people's text as JSON.
#pragma once

#include "base/int.h"

#include <string>

namespace mrc {

// A string; bytes that are not UTF-8 as {"bytes":"<base64>"}.
void append_json(Bytes text, std::string *out);

}  // namespace mrc
