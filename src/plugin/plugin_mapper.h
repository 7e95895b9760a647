// plugin: chunks are cut to records for the plugin's map, and what it emits is emitted.
#pragma once

#include "map/map.h"

#include <memory>
#include <span>
#include <string>

namespace mrc {

class OwnSplits;
class PluginSession;

// An input as plugins see it.
struct InputView {
  std::string name;
  i64 argument;  // its number: that of the argument, whatever could not be read
};

// What surrounds a mapper; all of it must outlive it.
struct MapperSurroundings {
  const Scanner &scanner;
  std::span<const InputView> inputs;  // of the sources of chunks
  char terminator = '\n';             // of lines
  const OwnSplits *splits = nullptr;  // that chunks are, if the job makes them
  BadRecordSink *bad = nullptr;       // takes records that map says are bad; null: they are dropped
};

// Failures are those of plugin/call.h: ask plugin_failed().
std::unique_ptr<Mapper> make_plugin_mapper(const PluginSession &job,
                                           const MapperSurroundings &around);

}  // namespace mrc
