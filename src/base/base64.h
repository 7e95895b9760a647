// Any bytes as letters, digits, '+' and '/' (RFC 4648, section 4).
#pragma once

#include "base/int.h"

#include <string>

namespace mrc {

void append_base64(Bytes bytes, std::string *out);
// False if the text is no such encoding, with its padding; then *out has grown by anything.
bool append_from_base64(Bytes text, std::string *out);

}  // namespace mrc
