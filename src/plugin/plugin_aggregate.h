// plugin: makes reducers available as aggregates of fields, in addition to the built-in ones.
#pragma once

#include "combine/aggregates.h"
#include "plugin/plugin.h"

#include <string_view>

namespace mrc {

// Adds the aggregate `text` (NAME:FIELD[:BUCKET], or NAME if the reducer takes no value) like
// add_aggregate(). Plugin and reducer must outlive the aggregation.
Status add_plugin_aggregate(const Plugin &plugin, const Reducer &reducer, std::string_view text,
                            const Clock &clock, const NumberStyle &style,
                            std::vector<ValueColumn> *values, Aggregation *aggregation);

}  // namespace mrc
