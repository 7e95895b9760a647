// plugin: chunks are cut to records for the plugin's map, and what it emits is emitted.
#pragma once

#include "map/map.h"

#include <memory>
#include <span>
#include <string>

namespace mrc {

class OwnSplits;
class PluginJob;

// All must outlive the mapper. `bad` takes the records that map says are bad. Failures are those of
// plugin/call.h: ask plugin_failed().
std::unique_ptr<Mapper> make_plugin_mapper(const PluginJob &job, const Scanner &scanner,
                                           std::span<const std::string> inputs, BadRecordSink *bad);

}  // namespace mrc
