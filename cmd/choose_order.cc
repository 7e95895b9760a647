// The order of rows, from the columns that the user named: the names become terms, each with its
// direction.
#include "base/typed_text.h"
#include "cmd/values.h"
#include "rows/order_key.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

using Terms = std::vector<OrderTerm>;

std::vector<std::string> column_names(const Program &program) {
  std::vector<std::string> names;
  for (const KeyPart &part : program.shape.key.parts) names.push_back(part.name);
  for (const Column &column : program.aggregation.columns) names.push_back(column.name);
  return names;
}

// A column by its index among the names: numbers descend by default, text ascends.
OrderTerm term_of(const Request &request, i64 index) {
  const std::vector<KeyPart> &parts = request.program.shape.key.parts;
  const std::vector<Column> &columns = request.program.aggregation.columns;
  OrderTerm term;
  bool number = false;
  if (index < std::ssize(parts)) {
    term.part = index;
    number = parts[static_cast<size_t>(index)].number;
  } else {
    term.column = index - std::ssize(parts);
    number = !orders_by_text(columns[static_cast<size_t>(term.column)]);
  }
  term.descending = request.direction == Request::Direction::natural
                        ? number
                        : request.direction == Request::Direction::descending;
  return term;
}

// The terms of --by. A column that is named again has nothing left to decide.
Status parse_terms(const Request &request, Terms *terms) {
  const std::vector<std::string> names = column_names(request.program);
  const bool fields = request.program.map.records == MapSpec::Records::fields;
  const Result<std::vector<std::string>> wanted = split_names(request.by);
  if (!wanted.is_ok()) return wanted.status().within("--by");
  for (const std::string &name : *wanted) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      return Status::error(fmt::format(
          "--by: no column \"{}\"{}; there are {}; to group by a field use {}-k", name,
          did_you_mean(name, names), fmt::join(names, ", "), fields ? "" : "mrc count "));
    }
    const OrderTerm term = term_of(request, found - names.begin());
    if (std::find(terms->begin(), terms->end(), term) == terms->end()) terms->push_back(term);
  }
  return Status::ok();
}

}  // namespace

Status choose_order(Request *request) {
  const Program &program = request->program;
  Order *order = &request->program.order;
  const bool top = order->limit >= 0 && !program.aggregation.columns.empty();
  Terms terms;
  if (!request->by.empty()) {
    if (Status status = parse_terms(*request, &terms); !status.is_ok()) return status;
  } else if (top) {
    terms.push_back(term_of(*request, std::ssize(program.shape.key.parts)));
  } else {  // by key, numbers in it ascending as well
    order->descending = request->direction == Request::Direction::descending;
    return Status::ok();
  }
  order_by(std::move(terms), program.shape.key, program.aggregation.columns, order);
  return Status::ok();
}

}  // namespace mrc
