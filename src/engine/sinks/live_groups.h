// Interim answers of groups. Copies of the states of workers are folded into groups of their own,
// so the groups of workers do not change.
#pragma once

#include "engine/inner/live_answers.h"
#include "engine/sinks/grouping.h"

#include <memory>

namespace mrc {

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

}  // namespace mrc
