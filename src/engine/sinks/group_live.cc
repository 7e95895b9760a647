// Interim answers of a job that makes rows of keys.
#include "engine/inner/row_collector.h"
#include "engine/sinks/grouping.h"
#include "engine/sinks/written_rows.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

// The value of "progress" in JSON.
std::string progress_of(const Coverage &of) {
  return of.share ? fmt::format("{:.4g}", *of.share) : "null";
}

// Limits the order to the rows that the user has room to see.
Order within(const Room &room, Order order) {
  if (room.rows < 0) return order;
  order.limit = order.limit < 0 ? room.rows : std::min(order.limit, room.rows);
  return order;
}

}  // namespace

RowShape GroupingSink::interim_shape(const Coverage &of) const {
  RowShape shape = run_.program.shape;
  if (!shape.progress.empty()) shape.progress = progress_of(of);
  const Room room = run_.observer->room();
  if (room.width > 0) shape.width = room.width;
  return shape;
}

Result<std::unique_ptr<InterimRows>> GroupingSink::interim_rows(Groups *groups, Order order,
                                                                bool printed) {
  auto made = std::make_unique<InterimRows>(rows_in(std::move(order)));
  const bool stay = !made->ordered.order().composes();  // keys of rows may stay in the groups
  auto store = std::make_unique<RowStore>(made->ordered.layout(),
                                          stay ? KeyBytes::borrowed : KeyBytes::copied);
  const KeyShape &key = run_.program.shape.key;
  RowCollector rows(layout_, key, made->ordered.order(), store.get());
  GroupSink *to = &rows;
  const std::unique_ptr<GroupFilter> filter = printed ? make_interim_filter(to) : nullptr;
  if (filter) to = filter.get();
  std::optional<GroupTotal> total;
  if (run_.program.total && printed) to = &total.emplace(layout_, to, run_.worker_share() / 16);
  take_groups(groups, to);
  made->ordered.add(0, std::move(store));
  Result<Rows> sorted = made->ordered.sort(&made->pool);
  if (!sorted.is_ok()) return sorted.status();
  made->rows.assign(sorted->begin(), sorted->end());
  const i64 limit = made->ordered.order().limit;
  if (limit >= 0 && limit < std::ssize(made->rows)) made->rows.resize(static_cast<size_t>(limit));
  if (total) {
    made->last = std::make_unique<RowStore>(made->ordered.layout(), KeyBytes::copied);
    add_total_row(made->ordered.order(), total->state(), made->last.get());
    made->rows.push_back(*made->last->rows().begin());
  }
  return made;
}

Status GroupingSink::show_interim(Groups *groups, const Coverage &of) {
  Interim interim;
  interim.of = of;
  if (layout_.wants_total()) set_total(total_of_groups(groups, layout_));
  if (run_.program.counts_rows) {
    const i64 keys = groups->usage().keys;
    interim.text = fmt::format("{}{}", keys, run_.program.shape.terminator);
  } else {
    auto rows = interim_rows(groups, within(run_.observer->room(), interim_order()), true);
    if (!rows.is_ok()) return rows.status();
    const auto formatter = make_formatter(interim_shape(of), (*rows)->ordered.layout());
    interim.text = text_of((*rows)->rows, formatter.get());
  }
  if (Status status = failure(); !status.is_ok()) return status;
  run_.observer->interim(interim);
  return Status::ok();
}

}  // namespace mrc
