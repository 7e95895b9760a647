// Base64: any bytes as letters, digits, '+' and '/' (RFC 4648, section 4).
#pragma once

#include "base/int.h"

#include <string>

namespace mrc {

void append_base64(Bytes bytes, std::string *out);
// Decodes padded base64 and appends it. Returns false if the text is malformed; *out may have
// grown.
bool append_from_base64(Bytes text, std::string *out);

}  // namespace mrc
