#include "combine/one_word.h"

namespace mrc {
namespace {

// So that the first value is the largest word.
u64 complement(u64 value) { return ~value; }

}  // namespace

const Reducer kFirst = largest_reducer<complement>();

Column first_column(i64 part) { return word_column<complement>("first", part); }

Aggregation first_aggregation() { return {{{&kFirst}}, {first_column(0)}, {}}; }

}  // namespace mrc
