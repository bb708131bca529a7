// Tokens that go through the model together. They may belong to several sequences.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "infer/decoder/attention/kv_cache.h"
#include "infer/decoder/attention/rope_table.h"
#include "infer/decoder/recurrent/recurrent_state.h"
#include "infer/decoder/steps/activation_sums.h"

namespace ambry::infer {

// Adjacent rows of a block that belong to one sequence.
struct PassPiece {
  std::span<KvCache> layers;         // of the sequence
  std::span<RecurrentState> states;  // of its layers; empty if none keeps a state
  size_t first;                      // row of the block
  size_t rows;
  uint64_t position;  // of the first row, in the sequence
};

struct PassBlock {
  std::span<const uint32_t> ids;
  std::span<const PassPiece> pieces;  // in the order of their rows
  const RopeTable& rope;              // for each row
  const RopeTable& local_rope;
  ActivationSums* observed = nullptr;  // collects the inputs of the layers
};

}  // namespace ambry::infer
