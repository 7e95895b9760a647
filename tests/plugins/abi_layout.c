/* The layout of ABI 1, on machines with words of 64 bits. That this compiles is the test.
 * Structs grow at their end: then a line is added, and the size of the struct goes up. No
 * other line ever changes. */
#include "mrc_reader.h"
#include "one_job.h"

#define SIZE(type, bytes) _Static_assert(sizeof(type) == (bytes), #type " has another size")
#define AT(type, member, offset) \
  _Static_assert(offsetof(type, member) == (offset), #type "." #member " is elsewhere")

SIZE(mrc_text, 16);
AT(mrc_text, data, 0);
AT(mrc_text, size, 8);

SIZE(mrc_values, 16);
AT(mrc_values, words, 0);
AT(mrc_values, width, 8);

SIZE(mrc_arena, 8);
AT(mrc_arena, allocate, 0);

SIZE(mrc_out, 8);
AT(mrc_out, write, 0);

SIZE(mrc_part, 40);
AT(mrc_part, reducer, 0);
AT(mrc_part, value, 8);
AT(mrc_part, position, 16);
AT(mrc_part, context, 24);
AT(mrc_part, offset, 32);

SIZE(mrc_column, 32);
AT(mrc_column, name, 0);
AT(mrc_column, integer, 8);
AT(mrc_column, real, 16);
AT(mrc_column, text, 24);

SIZE(mrc_columns, 24);
AT(mrc_columns, at, 0);
AT(mrc_columns, count, 8);
AT(mrc_columns, bytes, 16);

SIZE(mrc_list, 24);
AT(mrc_list, values, 0);
AT(mrc_list, count, 16);

SIZE(mrc_reducer, 176);
AT(mrc_reducer, size, 0);
AT(mrc_reducer, flags, 4);
AT(mrc_reducer, name, 8);
AT(mrc_reducer, summary, 16);
AT(mrc_reducer, state_bytes, 24);
AT(mrc_reducer, add, 32);
AT(mrc_reducer, merge, 40);
AT(mrc_reducer, save, 48);
AT(mrc_reducer, load, 56);
AT(mrc_reducer, init, 64);
AT(mrc_reducer, destroy, 72);
AT(mrc_reducer, columns, 80);
AT(mrc_reducer, values, 104);
AT(mrc_reducer, value_count, 112);
AT(mrc_reducer, reduce, 120);
AT(mrc_reducer, combine, 128);
AT(mrc_reducer, parameters, 136);
AT(mrc_reducer, open, 160);
AT(mrc_reducer, close, 168);

SIZE(mrc_host, 40);
AT(mrc_host, size, 0);
AT(mrc_host, abi, 4);
AT(mrc_host, fail, 8);
AT(mrc_host, note, 16);
AT(mrc_host, reducer, 24);
AT(mrc_host, workers, 32);

SIZE(mrc_option, 48);
AT(mrc_option, name, 0);
AT(mrc_option, type, 8);
AT(mrc_option, initial, 16);
AT(mrc_option, help, 24);
AT(mrc_option, least, 32);
AT(mrc_option, most, 40);

SIZE(mrc_options, 24);
AT(mrc_options, at, 0);
AT(mrc_options, count, 8);
AT(mrc_options, bytes, 16);

SIZE(mrc_setting, 32);
AT(mrc_setting, text, 0);
AT(mrc_setting, integer, 16);
AT(mrc_setting, real, 24);
SIZE(mrc_settings, 24);

SIZE(mrc_input, 24);
AT(mrc_input, name, 0);
AT(mrc_input, bytes, 8);

SIZE(mrc_inputs, 24);
AT(mrc_inputs, at, 0);
AT(mrc_inputs, count, 8);
AT(mrc_inputs, bytes, 16);

SIZE(mrc_split, 32);
AT(mrc_split, input, 0);
AT(mrc_split, begin, 8);
AT(mrc_split, end, 16);
AT(mrc_split, tag, 24);

SIZE(mrc_splits, 8);
AT(mrc_splits, add, 0);

SIZE(mrc_records, 96);
AT(mrc_records, size, 0);
AT(mrc_records, input_name, 8);
AT(mrc_records, input, 16);
AT(mrc_records, offset, 24);
AT(mrc_records, bytes, 32);
AT(mrc_records, records, 48);
AT(mrc_records, count, 56);
AT(mrc_records, split, 64);
AT(mrc_records, split_number, 72);
AT(mrc_records, values, 80);

SIZE(mrc_emitter, 64);
AT(mrc_emitter, size, 0);
AT(mrc_emitter, width, 4);
AT(mrc_emitter, count, 8);
AT(mrc_emitter, keys, 16);
AT(mrc_emitter, integers, 24);
AT(mrc_emitter, values, 32);
AT(mrc_emitter, flush, 40);
AT(mrc_emitter, keep, 48);
AT(mrc_emitter, bad, 56);

SIZE(mrc_row, 32);
AT(mrc_row, key, 0);
AT(mrc_row, integer, 16);
AT(mrc_row, cells, 24);

SIZE(mrc_rows, 32);
AT(mrc_rows, at, 0);
AT(mrc_rows, count, 8);
AT(mrc_rows, bytes, 16);
AT(mrc_rows, cells, 24);

SIZE(mrc_progress, 24);
AT(mrc_progress, size, 0);
AT(mrc_progress, last, 4);
AT(mrc_progress, round, 8);
AT(mrc_progress, bytes, 16);

SIZE(mrc_reduction, 32);
AT(mrc_reduction, reducer, 0);
AT(mrc_reduction, builtin, 8);
AT(mrc_reduction, value, 16);
AT(mrc_reduction, name, 24);

SIZE(mrc_reductions, 24);
AT(mrc_reductions, at, 0);
AT(mrc_reductions, count, 8);
AT(mrc_reductions, bytes, 16);

SIZE(mrc_job, 256);
AT(mrc_job, size, 0);
AT(mrc_job, shape, 4);
AT(mrc_job, name, 8);
AT(mrc_job, summary, 16);
AT(mrc_job, manual, 24);
AT(mrc_job, options, 32);
AT(mrc_job, record_bytes, 56);
AT(mrc_job, key_type, 64);
AT(mrc_job, key_name, 72);
AT(mrc_job, values, 80);
AT(mrc_job, value_count, 88);
AT(mrc_job, reductions, 96);
AT(mrc_job, open, 120);
AT(mrc_job, close, 128);
AT(mrc_job, split, 136);
AT(mrc_job, acquire, 144);
AT(mrc_job, release, 152);
AT(mrc_job, begin, 160);
AT(mrc_job, map, 168);
AT(mrc_job, end, 176);
AT(mrc_job, order, 184);
AT(mrc_job, compare, 192);
AT(mrc_job, format, 200);
AT(mrc_job, header, 208);
AT(mrc_job, round, 216);
AT(mrc_job, show, 224);
AT(mrc_job, fields, 232);

SIZE(mrc_field, 16);
AT(mrc_field, name, 0);
AT(mrc_field, type, 8);

SIZE(mrc_fields, 24);
AT(mrc_fields, at, 0);
AT(mrc_fields, count, 8);
AT(mrc_fields, bytes, 16);

SIZE(mrc_range, 24);
AT(mrc_range, field, 0);
AT(mrc_range, least, 8);
AT(mrc_range, most, 16);

SIZE(mrc_ranges, 24);
AT(mrc_ranges, at, 0);
AT(mrc_ranges, count, 8);
AT(mrc_ranges, bytes, 16);

SIZE(mrc_wanted, 40);
AT(mrc_wanted, size, 0);
AT(mrc_wanted, fields, 8);
AT(mrc_wanted, left_out, 16);

SIZE(mrc_reader, 64);
AT(mrc_reader, size, 0);
AT(mrc_reader, flags, 4);
AT(mrc_reader, summary, 8);
AT(mrc_reader, open, 16);
AT(mrc_reader, close, 24);
AT(mrc_reader, split, 32);
AT(mrc_reader, begin, 40);
AT(mrc_reader, read, 48);
AT(mrc_reader, end, 56);

SIZE(mrc_plugin, 56);
AT(mrc_plugin, size, 0);
AT(mrc_plugin, abi, 4);
AT(mrc_plugin, name, 8);
AT(mrc_plugin, version, 16);
AT(mrc_plugin, summary, 24);
AT(mrc_plugin, jobs, 32);
AT(mrc_plugin, reducers, 40);
AT(mrc_plugin, reader, 48);

_Static_assert(MRC_ABI == 1 && MRC_BATCH == 1024, "constants");
_Static_assert(MRC_TEXT == 0 && MRC_INTEGER == 1 && MRC_REAL == 2, "types");
_Static_assert(MRC_TIME == 3 && MRC_LEAVES_OUT == 1, "for fields and readers");
_Static_assert(MRC_LINES == 0 && MRC_WORDS == 1 && MRC_FIXED == 2, "shapes");
_Static_assert(MRC_BYTES == 3 && MRC_SPLITS == 4 && MRC_ROWS == 5, "shapes");
_Static_assert(MRC_ORDERED == 1 && MRC_DONE == 0 && MRC_AGAIN == 1, "flags and answers");
_Static_assert(MRC_NO_INTEGER == INT64_MIN, "what is missing");

const mrc_plugin *mrc_plugin_v1(const mrc_host *host) {
  (void)host;
  return &one_job_plugin;
}
