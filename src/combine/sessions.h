// combine: how long users were online, from records of logins and logouts (the log statistics of
// the Tiled-MapReduce paper, 5.2).
#pragma once

#include "combine/combine.h"
#include "expr/expr.h"

namespace mrc {

// Makes the columns of an aggregation by user:
//   online    seconds between logins and their logouts, as a decimal
//   sessions  number of logins that have a logout
//   open      logins without a logout
//   stray     logouts without a login
//   unread    records whose time could not be read
// The paper adds +-time, which is equal if every login has its logout. Here a logout ends the
// latest open session, so that a lost event costs only its own session. Simultaneous sessions count
// each. Records may come in any order.
//
// Adds the two columns of values that it reads, `time` and `event`, to *values. Events are, in any
// case: login, logon, open, opened, start, started, connect, connected, in, +; and logout, logoff,
// close, closed, stop, stopped, end, ended, disconnect, disconnected, out, -. Other values are
// ignored.
Aggregation sessions_aggregation(const FieldExpr &time, const FieldExpr &event, const Clock &clock,
                                 std::vector<ValueColumn> *values);

}  // namespace mrc
