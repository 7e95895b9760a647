// combine: how long users were online, from records of logins and logouts (the log
// statistics of the Tiled-MapReduce paper, 5.2).
#pragma once

#include "combine/combine.h"
#include "expr/values.h"

namespace mrc {

// Columns of an aggregation by user:
//   online    seconds between logins and their logouts, as a decimal
//   sessions  how many of these there were
//   open      logins without a logout
//   stray     logouts without a login
//   unread    records whose time could not be read
// The paper adds +-time; that is the same if every login has its logout. Here a logout
// ends the latest session that is open, so that one that was lost costs its own session
// and no other. Simultaneous sessions count each. Records may come in any order.
//
// Adds the two columns of values that it reads, `time` and `event`, to *values. Of events
// these count, in any case: login, logon, open, opened, start, started, connect,
// connected, in, +; and logout, logoff, close, closed, stop, stopped, end, ended,
// disconnect, disconnected, out, -. Others are no events.
Aggregation sessions_aggregation(const FieldExpr &time, const FieldExpr &event, const Clock &clock,
                                 std::vector<ValueColumn> *values);

}  // namespace mrc
