// Parts of URLs and of the paths of requests, as views. A part that is not there has no data.
#pragma once

#include "base/int.h"

namespace mrc {

// What is between "//" and the next slash, with a scheme before it or not.
Bytes authority_of(Bytes url);
Bytes scheme_of(Bytes url);
Bytes user_of(Bytes url);
// Without brackets around an IPv6 address; never empty.
Bytes host_of(Bytes url);
Bytes port_of(Bytes url);
// The path of a URL or of a request, without what follows it.
Bytes path_of(Bytes url);
// After "?", before "#".
Bytes query_of(Bytes url);
Bytes fragment_of(Bytes url);

}  // namespace mrc
