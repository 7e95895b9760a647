// Words of logs that tell what a column may be.
#pragma once

#include "base/int.h"

namespace mrc {

// True for names that programs give to their parts.
bool is_name(Bytes value);
// True for names of parts of parts, such as nova.compute and net/http.
bool is_dotted_name(Bytes value);
// True for names of classes with their packages.
bool is_class_name(Bytes value);
// True for names without @.
bool is_plain_name(Bytes value);

// True for names of machines, such as web-1 and db.example.com, which may also be those of parts of
// programs.
bool is_machine_name(Bytes value);

bool is_thread_name(Bytes value);
// True for 0x7f8a2b3c4d5e, 7f8a2b3c4d5e, and <0.123.0> of Erlang.
bool is_thread_number(Bytes value, char open);

// True for the usual methods and status codes of HTTP.
bool is_usual_method(Bytes value);
bool is_usual_status(Bytes value);
// True for the codes that servers send. Other numbers of three digits may be anything.
bool may_be_status(Bytes value);

Bytes without_blanks_before(Bytes text);

// True if the separator after a value shows that it is a name before a message.
bool has_end_of_name(Bytes value, Bytes after);
// True if a value may be a name before a message, which may begin with such a word, too.
bool may_end_name(Bytes value, Bytes after, bool has_level);
// True if the separator after a name shows that a message follows, or a level.
bool is_end_of_header(Bytes after);

}  // namespace mrc
