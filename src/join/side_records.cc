#include "join/side_records.h"

namespace mrc {

SideRecords::SideRecords(const JoinSide &side, const InputReaders &readers, BadRecordSink *bad)
    : bad_(bad),
      keys_(cells_of(side.keys, side.wanted())),
      fields_(cells_of(side.fields, side.wanted())),
      key_values_(keys_.size()),
      field_values_(fields_.size()),
      scan_(side.wanted(), readers, bad) {
  record_.keys = key_values_;
  record_.fields = field_values_;
}

std::vector<SideRecords::Cell> SideRecords::cells_of(const std::vector<FieldExpr> &exprs,
                                                     const WantedFields &wanted) {
  std::vector<Cell> cells;
  for (const FieldExpr &expr : exprs) {
    cells.push_back({&expr, wanted.column(expr.field), expr.not_of_kind()});
  }
  return cells;
}

bool SideRecords::read(const Chunk &chunk, size_t record) {
  if (!read_cells(chunk, record, &keys_, &key_values_)) return false;
  if (!read_cells(chunk, record, &fields_, &field_values_)) return false;
  record_.has_key = true;
  for (Bytes &key : key_values_) {
    if (!key.empty()) continue;
    key = Bytes();
    record_.has_key = false;
  }
  const i64 offset = chunk.offset + (batch_.records[record].data() - chunk.bytes.data());
  record_.position = position_of(chunk.source, offset);
  return true;
}

bool SideRecords::read_cells(const Chunk &chunk, size_t record, std::vector<Cell> *cells,
                             std::vector<Bytes> *values) {
  for (size_t i = 0; i < cells->size(); ++i) {
    Cell &cell = (*cells)[i];
    Bytes &value = (*values)[i];
    value = batch_.fields[cell.column][record];
    if (!cell.expr->bucket || apply_bucket(&cell, &value)) continue;
    bad_->take(chunk, {batch_.records[record], cell.not_of_kind.c_str()});
    return false;
  }
  return true;
}

bool SideRecords::apply_bucket(Cell *cell, Bytes *value) {
  if (value->empty() || *value == "-") return true;
  cell->text.clear();
  if (!cell->expr->bucket->append(*value, &cell->text)) return false;
  *value = cell->text;
  return true;
}

}  // namespace mrc
