// How values flow through a residual network, read off its table of layers: a stem, blocks of two
// or three convs beside a shortcut, and the head that tinyRuntime's runtime knows
// (core/formats/tinyruntime/README.md#residual-networks).
#pragma once

#include <cstddef>
#include <vector>

#include "base/result.h"
#include "model/cnn/cnn_table.h"

namespace ambry::model {

// The convs of a block follow one another in the table, the shortcut's is the last.
struct CnnBlock {
  size_t first = 0;  // in CnnTable::convs
  size_t n_convs = 2;
  bool shortcut = false;  // has a conv of its own; else the block's input is added as it is
};

// The blocks behind the stem, which is conv 0. Unsupported, saying where, for a table that does not
// follow the grammar: nothing is guessed.
[[nodiscard]] Result<std::vector<CnnBlock>> cnn_blocks(const CnnTable& table);

}  // namespace ambry::model
