// plugin: reducers as aggregates of fields, beside those that are built in.
#pragma once

#include "combine/aggregates.h"
#include "plugin/plugin.h"

#include <string_view>

namespace mrc {

// Adds what `text` (NAME:FIELD[:BUCKET], or NAME of a reducer that looks at no value) takes
// of a reducer, as add_aggregate() does. Both must outlive the aggregation.
Status add_plugin_aggregate(const Plugin &plugin, const Reducer &reducer, std::string_view text,
                            const Clock &clock, const NumberStyle &style,
                            std::vector<ValueColumn> *values, Aggregation *aggregation);

}  // namespace mrc
