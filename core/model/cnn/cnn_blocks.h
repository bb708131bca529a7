// Finds the blocks of a residual network in its table of layers: a stem, blocks of two or three
// convs with a shortcut, and the head that tinyRuntime supports
// (core/formats/tinyruntime/README.md#residual-networks).
#pragma once

#include <cstddef>
#include <vector>

#include "base/result.h"
#include "model/cnn/cnn_table.h"

namespace ambry::model {

// The convs of a block follow one another in the table. The shortcut's conv comes last.
struct CnnBlock {
  size_t first = 0;  // index in CnnTable::convs
  size_t n_convs = 2;
  bool shortcut = false;  // whether the shortcut has its own conv; otherwise the block's input is
                          // added unchanged
};

// The blocks after the stem, which is conv 0. Unsupported, with the place, when the table does not
// follow the grammar. Nothing is guessed.
[[nodiscard]] Result<std::vector<CnnBlock>> cnn_blocks(const CnnTable& table);

}  // namespace ambry::model
