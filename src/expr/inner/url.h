// Parts of URLs and of the paths of requests, as views. A missing part has no data.
#pragma once

#include "base/int.h"

namespace mrc {

// Returns the host without the brackets of an IPv6 address; never empty.
Bytes host_of(Bytes url);
// Returns the path of a URL or of a request.
Bytes path_of(Bytes url);

}  // namespace mrc
