// plugin: splits chunks into records, calls the plugin's map, and emits what it emits.
#pragma once

#include "map/map.h"

#include <memory>
#include <span>
#include <string>

namespace mrc {

class OwnSplits;
class PluginSession;

// An input as plugins know it.
struct InputView {
  std::string name;
  i64 argument;  // index of the argument; unreadable inputs count, too
};

// The environment of a mapper; all of it must outlive the mapper.
struct MapperSurroundings {
  const Scanner &scanner;
  std::span<const InputView> inputs;  // by source of chunks
  char terminator = '\n';             // of lines
  const OwnSplits *splits = nullptr;  // the splits that are the chunks, if the job makes them
  BadRecordSink *bad = nullptr;       // takes records that map reports; null: drops them
};

// Failures are reported by plugin/call.h: check plugin_failed().
std::unique_ptr<Mapper> make_plugin_mapper(const PluginSession &job,
                                           const MapperSurroundings &around);

}  // namespace mrc
