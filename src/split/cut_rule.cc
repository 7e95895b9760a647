#include "split/inner/cut_rule.h"

#include <cstring>

namespace mrc {
namespace {

CutState from_csv(CsvState state) { return {static_cast<u8>(state)}; }
CsvState to_csv(CutState state) { return static_cast<CsvState>(state.mode); }

CutSkim from_csv(const CsvSkim &skim) { return {from_csv(skim.state), skim.end, skim.last_open}; }
CutSkim from_json(const JsonSkim &skim) {
  return {{skim.state.mode, skim.state.depth}, skim.end, nullptr};
}
JsonState to_json(CutState state) { return {state.mode, state.depth}; }

}  // namespace

bool CutRule::is_plain(Bytes text) const {
  return csv_ && std::memchr(text.data(), '"', text.size()) == nullptr;
}

CutState CutRule::after_plain(CutState before, Bytes text) const {
  if (text.empty() || to_csv(before) == CsvState::quoted) return before;
  const bool ends = text.back() == csv_->separator || text.back() == csv_->terminator;
  return from_csv(ends ? CsvState::field : CsvState::plain);
}

CutSkim CutRule::pass(CutState state, const char *begin, const char *end) const {
  if (csv_) return last(state, begin, end);
  return from_json({best_json_scanner().pass(to_json(state), begin, end), nullptr});
}

CutSkim CutRule::last(CutState state, const char *begin, const char *end) const {
  if (csv_) return from_csv(best_csv_scanner().skim(to_csv(state), begin, end, *csv_));
  return from_json(best_json_scanner().last_end(to_json(state), begin, end));
}

CutSkim CutRule::first(CutState state, const char *begin, const char *end) const {
  if (csv_) return from_csv(best_csv_scanner().first_end(to_csv(state), begin, end, *csv_));
  return from_json(best_json_scanner().first_end(to_json(state), begin, end));
}

}  // namespace mrc
