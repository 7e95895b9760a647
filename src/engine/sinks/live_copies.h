// Interim answers of groups and of sorted records.
#pragma once

#include "engine/inner/live_answers.h"
#include "engine/sinks/grouping.h"
#include "rows/ordered_rows.h"

#include <memory>

namespace mrc {

// Interim answers of groups. Copies of the states of workers are folded into groups of their own,
// so the groups of workers do not change.
class LiveGroups : public LiveCopies {
 public:
  // The sink outlives this.
  explicit LiveGroups(GroupingSink *sink);

  std::unique_ptr<Lender> make_lender(Product *product, i64 worker) override;
  i64 size_of(Lender *lender) override;
  void begin_anew(bool for_good) override;
  Status copy(Lender *lender) override;
  Status show(const Coverage &of) override;

 private:
  class GroupLender;

  bool fits() const;

  GroupingSink &sink_;
  std::unique_ptr<GroupWorker> groups_;  // groups of the current answer
};

// Interim answers of sorted records: the first ones so far.
class LiveRows : public LiveCopies {
 public:
  // `rows`: those of the run. Both arguments outlive this. REQUIRES: the order has a limit
  LiveRows(Run *run, const OrderedRows &rows);

  std::unique_ptr<Lender> make_lender(Product *product, i64 worker) override;
  i64 size_of(Lender *lender) override;
  void begin_anew(bool for_good) override;
  Status copy(Lender *lender) override;
  Status show(const Coverage &of) override;

 private:
  Run &run_;
  const OrderedRows &rows_;
  std::unique_ptr<RowStore> copies_;
};

}  // namespace mrc
