// Scales of a whole matrix, of each row, or of blocks of rows and columns, told by their shape.
#pragma once

#include "base/result.h"
#include "convert/checkpoint_quantization/quantized_tensors.h"

namespace ambry::convert {

struct ScaleBlock {
  uint64_t rows = 1;
  uint64_t columns = 0;  // 0: all
};

// Sets which weights share a scale. Mismatch where the shape of the scales is neither one number,
// nor one for each row, nor one for each block.
[[nodiscard]] Result<void> share_scales(const ScaleBlock& block, PackedMatrix& matrix);

// Leaves out the scales of activations and of the cache, which change no weight.
void leave_out_activation_scales(QuantizedTensors& tensors);

// Sets the shape from that of the codes, which are a byte each.
[[nodiscard]] Result<void> shape_by_bytes(Packing packing, PackedMatrix& matrix);

}  // namespace ambry::convert
