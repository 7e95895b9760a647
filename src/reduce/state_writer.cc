#include "reduce/state_writer.h"

namespace mrc {

void StateWriter::write_block() {
  BlockInfo what;
  what.records = block_.count();
  if (status_.is_ok()) status_ = writer_.add_block(what, block_.bytes());
  block_.clear();
}

Status StateWriter::finish() {
  if (block_.count() > 0) write_block();
  return status_.is_ok() ? writer_.finish() : status_;
}

}  // namespace mrc
