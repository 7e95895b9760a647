// Records whose fields carry their labels: logfmt and LTSV.
//
// logfmt   level=info msg="took \"long\"" ms=12 retry
//          level="info", msg="took long", ms=12
// LTSV     time:28/Feb/2013:12:00:00 +0900<tab>host:192.168.0.1
//
// Fields may be named or numbered as they stand in a record. A label that is there twice
// means its first field. Quoted values of logfmt lose quotes and escapes; a bare key has an
// empty value. A comma at the end of a value separates it from the next one.
#pragma once

#include "fields/fields.h"

namespace mrc {

Result<std::unique_ptr<RecordReader>> make_logfmt_reader(const Dialect &dialect,
                                                         std::span<const FieldName> wanted);
Result<std::unique_ptr<RecordReader>> make_ltsv_reader(const Dialect &dialect,
                                                       std::span<const FieldName> wanted);

// The labels of a line, in order, for the sniffer: none if the line does not look like the
// format. A line of logfmt does if there are two pairs and few other words. Both may
// over-read by kPadding bytes.
std::vector<std::string> logfmt_labels(Bytes line);
std::vector<std::string> ltsv_labels(Bytes line);

}  // namespace mrc
