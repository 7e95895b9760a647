#include "engine/sinks/live_rows.h"

#include "engine/sinks/row_product.h"
#include "engine/sinks/written_rows.h"
#include "output/output.h"

#include <algorithm>

namespace mrc {
namespace {

class RowLender : public Lender {
 public:
  explicit RowLender(RowProduct *product) : product_(product), store_(*product->store()) {}

  void end() override {
    had_spilled_ = product_->has_spilled();
    product_ = nullptr;
  }
  bool has_spilled() const { return product_ == nullptr ? had_spilled_ : product_->has_spilled(); }
  RowStore &store() { return store_; }

 private:
  RowProduct *product_;  // null: it has handed over its rows
  RowStore &store_;      // valid even after that
  bool had_spilled_ = false;
};

}  // namespace

LiveRows::LiveRows(Run *run, const OrderedRows &rows) : run_(*run), rows_(rows) {}

std::unique_ptr<Lender> LiveRows::make_lender(Product *product, i64) {
  return std::make_unique<RowLender>(static_cast<RowProduct *>(product));
}

i64 LiveRows::size_of(Lender *lender) {
  return std::min(static_cast<RowLender *>(lender)->store().rows().size(), rows_.order().limit);
}

void LiveRows::begin_anew(bool) {
  copies_ = std::make_unique<RowStore>(rows_.layout(), KeyBytes::copied);
}

Status LiveRows::copy(Lender *lender) {
  auto *const lent = static_cast<RowLender *>(lender);
  if (lent->has_spilled()) return Status::error("the first rows do not fit in memory");
  const Order &order = rows_.order();
  if (lent->store().rows().size() > order.limit) lent->store().keep_first(order.limit, order);
  for (const Row &row : lent->store().rows()) copies_->add_copy(row);
  return Status::ok();
}

Status LiveRows::show(const Coverage &of) {
  Order order = rows_.order();
  const i64 room = run_.observer->room().rows;
  if (room >= 0) order.limit = std::min(order.limit, room);
  OrderedRows ordered({.order = std::move(order), .layout = rows_.layout()}, 1);
  ordered.add(0, std::move(copies_));
  WorkerPool pool(1);
  const Result<Rows> rows = ordered.sort(&pool);
  if (!rows.is_ok()) return rows.status();
  const auto formatter =
      make_record_formatter(run_.program.shape, rows_.layout(), record_header(run_));
  run_.observer->interim(
      {text_of(std::vector<Row>(rows->begin(), rows->end()), formatter.get()), of});
  return Status::ok();
}

}  // namespace mrc
