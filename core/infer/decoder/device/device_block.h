// Rows of a pass that something else than this code computes, such as a graphics processor: the
// tokens go out, and the rows of logits or hidden states come back.
//
// The device keeps keys and values by sequence. What it no longer has of a sequence it cannot go on
// from: the pass then begins again with all tokens of its sequences (`restart`).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/aligned_buffer.h"

namespace ambry::infer {

// Tokens of a block that go through the model together on a device.
inline constexpr size_t kDeviceRows = 128;

struct DeviceBlock {
  // Adjacent rows of one sequence.
  struct Piece {
    uint64_t sequence;  // a number that no other sequence has, nor a fork of this one
    uint32_t rotation;  // keys of different rotations do not go together
    size_t first;       // row of the block
    size_t rows;
    std::vector<uint32_t> before;  // the tokens whose keys and values the rows attend to, too
  };

  std::vector<uint32_t> ids;
  std::vector<Piece> pieces;     // in the order of their rows
  std::vector<uint32_t> wanted;  // rows of which results are wanted
  bool hidden = false;           // states after the last norm, and not logits
  std::vector<float> rope;       // cosines of all rows, then sines
  std::vector<float> local_rope;
  AlignedBuffer results;  // f32, row after row; written by the device
  bool answered = false;
  bool restart = false;
};

}  // namespace ambry::infer
