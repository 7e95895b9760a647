// The format of an input that nobody named.
#pragma once

#include "fields/fields.h"

namespace mrc {

// The dialect that the first records of `head` have. May over-read by kPadding bytes.
Dialect detect(const FormatSpec &spec, Bytes head, bool whole);

// The labels of the first records, in the order of their first sight; of logfmt and ltsv.
std::vector<std::string> first_labels(RecordFormat format, Bytes head, char terminator, bool whole);

}  // namespace mrc
