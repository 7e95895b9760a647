// The sessions of clients: their number, and the pages with which they begin.
#pragma once

#include <string>

namespace mrc {

// Replaces whole rows of clients by one that has the sum of their sessions. The last value of a row
// is the number of sessions, or a list with the first page of each session, null if it has none.
// Appends these pages to `pages`, as rows of one column for the next program. What follows the last
// whole row stays.
void sum_up_clients(std::string *rows, std::string *pages);

}  // namespace mrc
