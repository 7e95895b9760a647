// A piece is the result of one run: the states of its units are merged and cannot be separated. So
// two pieces must cover the same units, or have none in common. For each piece, the merger notes
// the partitions that have come: one that comes again would count twice, and one that never comes
// would be missing.
//
// Sources are numbered as tables come. When all are there, the tables are ordered and all numbers
// become those of the whole.
#include "kept/merge_partials.h"

#include "base/setting_name.h"
#include "record.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace mrc {
namespace {

std::string list_of(const PartitionSet &set) {
  constexpr size_t kShown = 5;
  std::vector<size_t> shown;
  for (size_t i = 0; i < set.size() && shown.size() < kShown; ++i) {
    if (set[i]) shown.push_back(i);
  }
  const size_t more = set.count() - shown.size();
  return fmt::format("{}{}", fmt::join(shown, ", "),
                     more > 0 ? fmt::format(" and {} more", more) : "");
}

PartialFlaw sum_of(const std::vector<PartialPiece> &pieces, PartialFlaw PartialPiece::*flaw) {
  PartialFlaw sum;
  for (const PartialPiece &piece : pieces) sum.add(piece.*flaw);
  return sum;
}

// Drops the other partitions, which other processes merge.
void keep_only(const PartitionSet &partitions, OpenPartial *opened) {
  for (PartialPiece &piece : opened->partial.pieces) piece.here &= partitions;
  std::erase_if(opened->blocks, [&](const BlockInfo &block) {
    return !partitions[static_cast<size_t>(block.partition)];
  });
}

u64 moved(u64 position, i64 to_source) { return position_of(to_source, offset_of(position)); }

// Replaces each source that the piece names by move(source).
template <typename Move>
void move_sources(PartialPiece *piece, Move move) {
  const auto move_position = [&](u64 *position) {
    if (*position != ~u64{0}) *position = moved(*position, move(source_of(*position)));
  };
  for (PartialUnit &unit : piece->units) unit.source = move(unit.source);
  move_position(&piece->bad_records.position);
  move_position(&piece->bad_values.position);
  for (PartialPiece::Lines &lines : piece->lines) move_position(&lines.position);
}

}  // namespace

// If there are ranges, only the process that merges the first one prints the header.
const Dialect *MergedPartials::header() const {
  const auto is_first = [](const PartialPiece &piece) { return piece.here[0]; };
  if (whole.ranges && std::ranges::none_of(whole.pieces, is_first)) return nullptr;
  const auto with_header = std::ranges::find_if(
      whole.tables, [](const PartialTable &table) { return table.header.has_value(); });
  return with_header == whole.tables.end() ? nullptr : &*with_header->header;
}

i64 MergedPartials::records() const {
  i64 sum = 0;
  for (const PartialPiece &piece : whole.pieces) sum += piece.records;
  return sum;
}
i64 MergedPartials::used() const {
  i64 sum = 0;
  for (const PartialPiece &piece : whole.pieces) sum += piece.used;
  return sum;
}
PartialFlaw MergedPartials::bad_records() const {
  return sum_of(whole.pieces, &PartialPiece::bad_records);
}
PartialFlaw MergedPartials::bad_values() const {
  return sum_of(whole.pieces, &PartialPiece::bad_values);
}

Status PartialMerger::take(i64 argument, PartialStates states) {
  if (terms_.only) keep_only(*terms_.only, &states.opened);
  if (Status status = job_.take(states); !status.is_ok()) return status;
  const Result<size_t> order = add_order(argument, states);
  if (!order.is_ok()) return order.status();
  if (Status status = add_pieces(&states, orders_[*order]); !status.is_ok()) return status;
  states.opened.partial = {};
  stretches_.push_back({std::move(states), *order});
  return Status::ok();
}

Result<size_t> PartialMerger::add_order(i64 argument, const PartialStates &states) {
  Order order{argument, states.is_line, {}};
  auto names = states.opened.partial.sources.begin();
  for (const PartialTable &table : states.opened.partial.tables) {
    const Result<size_t> index = add_table(table, {names, names + table.sources}, states.name);
    if (!index.is_ok()) return index;
    order.tables.push_back(*index);
    names += table.sources;
  }
  const auto known = std::ranges::find(orders_, order.tables, &Order::tables);
  if (known != orders_.end()) return static_cast<size_t>(known - orders_.begin());
  orders_.push_back(std::move(order));
  return orders_.size() - 1;
}

Result<size_t> PartialMerger::add_table(const PartialTable &table, std::vector<std::string> names,
                                        const std::string &name) {
  for (size_t i = 0; i < tables_.size(); ++i) {
    if (tables_[i].table.id != table.id) continue;
    tables_[i].table.units = std::max(tables_[i].table.units, table.units);
    if (tables_[i].names == names) return i;
    return Status::error(name + ": has other inputs than its job; it is damaged");
  }
  const i64 first = tables_.empty() ? 0 : tables_.back().first + tables_.back().table.sources;
  tables_.push_back({table, std::move(names), first});
  return tables_.size() - 1;
}

// Changes the source numbers of a partial to those of all tables, in the order in which they came.
void PartialMerger::renumber(const Order &order, PartialPiece *piece) const {
  move_sources(piece, [&](i64 source) {
    for (const size_t index : order.tables) {
      const Table &table = tables_[index];
      if (source < table.table.sources) return table.first + source;
      source -= table.table.sources;
    }
    return source;
  });
}

// Returns the earlier piece of the same units; null: there is none.
Result<PartialMerger::Piece *> PartialMerger::find_piece(const PartialPiece &piece,
                                                         const std::string &name) {
  std::set<size_t> found;
  size_t known = 0;
  for (const PartialUnit &unit : piece.units) {
    const auto table = std::ranges::find_if(
        tables_, [&](const Table &each) { return unit.source < each.first + each.table.sources; });
    const std::pair key(static_cast<size_t>(table - tables_.begin()), unit.number);
    const auto [at, is_new] = units_.emplace(key, pieces_.size());
    if (is_new) continue;
    found.insert(at->second);
    ++known;
  }
  if (found.empty()) return static_cast<Piece *>(nullptr);
  Piece *other = *found.begin() < pieces_.size() ? &pieces_[*found.begin()] : nullptr;
  if (other == nullptr || found.size() > 1 || known < piece.units.size() ||
      known < other->piece.units.size()) {
    return Status::error(
        fmt::format("{}: some of its units are in {} too, and not all; leave one of them out", name,
                    other == nullptr ? "it" : other->name));
  }
  if (piece.units != other->piece.units || piece.made != other->piece.made) {
    return Status::error(
        fmt::format("{}: has the units of {}, and they had another content; the input has changed",
                    name, other->name));
  }
  return other;
}

// Adds the pieces of a partial. Leaves out partitions that have come before; it is an error if only
// some of their pieces have.
Status PartialMerger::add_pieces(PartialStates *states, const Order &order) {
  PartitionSet again, fresh;
  std::string before;
  for (PartialPiece &piece : states->opened.partial.pieces) {
    renumber(order, &piece);
    const Result<Piece *> known = find_piece(piece, states->name);
    if (!known.is_ok()) return known.status();
    if (*known == nullptr) {
      fresh |= piece.here;
      pieces_.push_back({std::move(piece), states->name});
      continue;
    }
    const PartitionSet twice = piece.here & (*known)->piece.here;
    if (twice.any() && before.empty()) before = (*known)->name;
    again |= twice;
    fresh |= piece.here & ~twice;
    (*known)->piece.here |= piece.here;
  }
  if ((again & fresh).any()) {
    return Status::error(
        fmt::format("{}: some of its units are in {} too, and not all; leave one "
                    "of them out",
                    states->name, before));
  }
  if (!has_partitions(*states, again | fresh)) {
    return Status::error(states->name +
                         ": has not the partitions that it is said to have; it is damaged");
  }
  if (again.none()) return Status::ok();
  if (!terms_.once) {
    return Status::error(fmt::format("{}: has the same units as {}; {} counts them once",
                                     states->name, before, setting_name("once")));
  }
  std::erase_if(states->opened.blocks, [&](const BlockInfo &block) {
    return again[static_cast<size_t>(block.partition)];
  });
  if (!states->is_line) {
    notes_.push_back(
        fmt::format("{}: has the same units as {}, which count once", states->name, before));
  }
  return Status::ok();
}

// With ranges, a partition may be empty: other ranges have all of the rows that were kept.
bool PartialMerger::has_partitions(const PartialStates &states, const PartitionSet &said) const {
  PartitionSet there;
  for (const BlockInfo &block : states.opened.blocks) {
    there.set(static_cast<size_t>(block.partition));
  }
  return job_.partial().ranges ? (there & ~said).none() : there == said;
}

Status PartialMerger::check_whole() const {
  if (terms_.some_partitions) return Status::ok();
  const PartitionSet wanted = terms_.only.value_or(PartitionSet().set());
  for (const Piece &each : pieces_) {
    const PartitionSet missing = each.piece.made & ~each.piece.here & wanted;
    if (missing.none()) continue;
    return Status::error(fmt::format(
        "{}: states of partitions {} are missing; all lines of a partial are needed, or {} "
        "some",
        each.name, list_of(missing), setting_name("partitions")));
  }
  return Status::ok();
}

// A unit is missing if no partial names it: units without states are named, too.
std::vector<std::string> PartialMerger::missing_units() const {
  std::vector<std::set<i64>> there(tables_.size());
  std::vector<std::string> first(tables_.size());
  for (const auto &[unit, piece] : units_) {
    if (there[unit.first].empty()) first[unit.first] = pieces_[piece].name;
    there[unit.first].insert(unit.second);
  }
  std::vector<std::string> messages;
  for (size_t i = 0; i < tables_.size(); ++i) {
    const std::string missing = describe_missing(there[i], tables_[i].table.units, absence());
    if (!missing.empty()) messages.push_back(first[i] + ": " + missing);
  }
  return messages;
}

// With only some partitions, the other lines of a partial may have the unit.
Absence PartialMerger::absence() const {
  if (terms_.some_partitions) return Absence::unknown;
  return terms_.partial_ok ? Absence::wanted : Absence::fault;
}

std::vector<std::string> PartialMerger::names_of(const Order &order) const {
  std::vector<std::string> names;
  for (const size_t table : order.tables) {
    names.insert(names.end(), tables_[table].names.begin(), tables_[table].names.end());
    names.push_back(fmt::format("{:016x}", tables_[table].table.id));
  }
  return names;
}

// Orders tables by argument. The lines of one argument come in any order, so they are ordered by
// names.
void PartialMerger::place_tables() {
  std::vector<const Order *> orders;
  for (const Order &order : orders_) orders.push_back(&order);
  std::ranges::stable_sort(orders, [&](const Order *a, const Order *b) {
    if (a->argument != b->argument || !a->is_line) return a->argument < b->argument;
    return names_of(*a) < names_of(*b);
  });
  i64 base = 0;
  for (const Order *order : orders) {
    for (const size_t index : order->tables) {
      if (tables_[index].base >= 0) continue;
      tables_[index].base = base;
      base += tables_[index].table.sources;
    }
  }
}

std::optional<u64> PartialMerger::shift_of(const Order &order) const {
  const i64 base = order.tables.empty() ? 0 : tables_[order.tables.front()].base;
  i64 next = base;
  for (const size_t index : order.tables) {
    if (tables_[index].base != next) return {};
    next += tables_[index].table.sources;
  }
  return position_of(base, 0);
}

Result<MergedPartials> PartialMerger::finish() {
  if (Status status = check_whole(); !status.is_ok()) return status;
  place_tables();
  MergedPartials merged;
  merged.whole = job_.partial();
  merged.state_bytes = job_.state_bytes();
  std::vector<const Table *> in_order;
  for (const Table &table : tables_) in_order.push_back(&table);
  std::ranges::sort(in_order, {}, &Table::base);
  for (const Table *table : in_order) {
    merged.whole.tables.push_back(table->table);
    merged.whole.sources.insert(merged.whole.sources.end(), table->names.begin(),
                                table->names.end());
  }
  merged.notes = std::move(notes_);
  auto *messages = absence() == Absence::fault ? &merged.missing : &merged.notes;
  std::ranges::move(missing_units(), std::back_inserter(*messages));
  for (Piece &each : pieces_) {
    move_sources(&each.piece, [&](i64 source) {
      const auto table = std::ranges::find_if(
          tables_, [&](const Table &of) { return source < of.first + of.table.sources; });
      return table->base + source - table->first;
    });
    merged.whole.pieces.push_back(std::move(each.piece));
  }
  if (const auto repeated = find_repeated_input(merged.whole)) {
    return Status::error(fmt::format("{}: has input that is in {} too: {}; leave one of them out",
                                     pieces_[repeated->piece].name, pieces_[repeated->other].name,
                                     repeated->source));
  }
  for (Stretch &each : stretches_) {
    merged.stretches.push_back({std::move(each.states.file), std::move(each.states.opened.blocks),
                                shift_of(orders_[each.order]), std::move(each.states.name)});
  }
  return merged;
}

}  // namespace mrc
