// The panels of a report: rows of panels.inc, and the fields of a table.
#pragma once

#include "cmd/panels.h"
#include "cmd/report/document.h"

namespace mrc {

// Chooses the panels of a job by the fields of its first records, and makes their programs those of
// the job. REQUIRES: the job's fields are compiled
Status make_panels(const Ask &ask, Document document, Compiled *compiled);

}  // namespace mrc
