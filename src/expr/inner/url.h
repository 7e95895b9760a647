// Parts of URLs and of the paths of requests, as views. A missing part has no data.
#pragma once

#include "base/int.h"

namespace mrc {

Bytes scheme_of(Bytes url);
Bytes user_of(Bytes url);
// Returns the host without the brackets of an IPv6 address; never empty.
Bytes host_of(Bytes url);
Bytes port_of(Bytes url);
// Returns the path of a URL or of a request.
Bytes path_of(Bytes url);
// Returns the text after "?" and before "#".
Bytes query_of(Bytes url);
Bytes fragment_of(Bytes url);

}  // namespace mrc
