#include "cmd/order_records.h"

#include "cmd/chain.h"
#include "cmd/compile.h"
#include "cmd/parse.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

enum class Goes { to_sort, to_both, stays, nowhere };

struct OrderRow {
  const char *names;
  Goes where;
  const char *reason = "";
};

constexpr OrderRow kOrderRows[] = {
    {"--since, --until", Goes::to_sort},
    {"--within, --strict", Goes::to_both},
    {"--each, --stack", Goes::nowhere,
     "make these records in a stage before: mrc select --each FIELD -k FIELDS then ..."},
    {"--record, --binary", Goes::nowhere, "a next stage reads lines, not records of a fixed size"},
    {"--bad", Goes::nowhere, "keep them in a stage before: mrc select --bad FILE then ..."},
};

// Returns where an option of a job with --order goes. Those without a row go where they go in any
// chain, whose first stage is the one that sorts.
OrderRow order_row(const std::string &option) {
  for (const OrderRow &row : kOrderRows) {
    const std::vector<std::string> names = names_in(row.names);
    if (std::ranges::find(names, option) != names.end()) return row;
  }
  switch (stages_for(option)) {
    case ForStages::input: return {"", Goes::to_sort};
    case ForStages::none:
      return {"", Goes::nowhere, "the order of records is known when all are there"};
    default: return {"", Goes::stays};
  }
}

// A condition that looks at earlier records holds for what these functions have made.
bool goes_first(const Job::Choice &choice) {
  return choice.option == "--where" && !looks_back(choice.value);
}

Result<std::vector<Job>> order_first(const Job &job, const std::string &order) {
  Job sort{.verb = "sort", .operands = job.operands, .inputs = job.inputs};
  Job then{.verb = job.verb};
  for (const Job::Choice &choice : job.choices) {
    if (choice.option == kOrderOption.names) continue;
    const OrderRow row =
        goes_first(choice) ? OrderRow{"", Goes::to_sort} : order_row(choice.option);
    if (row.where == Goes::nowhere) {
      return Status::error(fmt::format("{}: {}: not together with --order: {}", job.verb,
                                       choice.option, row.reason));
    }
    if (row.where != Goes::stays) sort.choices.push_back(choice);
    if (row.where != Goes::to_sort) then.choices.push_back(choice);
  }
  const bool has_groups = job.find("--within") != nullptr;
  sort.choices.push_back({"--key", (has_groups ? "group()," : "") + order});
  sort.choices.push_back({"--stable", ""});
  then.choices.push_back({kOrderOption.names, std::string(kInOrder)});
  return std::vector{std::move(sort), std::move(then)};
}

}  // namespace

constinit const Option kOrderOption = {
    .names = "--order",
    .value = "FIELDS",
    .help = "put records in this order first, within groups of --within; -: they are in order",
    .choices = nullptr,
    .set = set_text<"needs the name or number of a field", &Ask::order>,
    .expert = true,
    .joins = true};

Result<std::vector<Job>> stages_of(Job job) {
  const Job::Choice *order = job.find(kOrderOption.names);
  if (order != nullptr && order->value != kInOrder) return order_first(job, order->value);
  const Verb &verb = *find_verb(job.verb);
  if (verb.stages != nullptr) return verb.stages(std::move(job));
  return std::vector{std::move(job)};
}

}  // namespace mrc
