// What GPTQ and AWQ have in common: codes and zero points are packed into words of 32 bits, and
// scales and zero points have a row for each group of columns.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "convert/checkpoint_quantization/quantized_tensors.h"

namespace ambry::convert {

// The `group_size` of the settings, which is -1 for one group of all columns; 0 then.
[[nodiscard]] Result<uint64_t> columns_of_group(const QuantizedTensors& tensors, double stated);

// Takes `qweight`, `scales` and `qzeros` of a module, and checks their types.
[[nodiscard]] Result<PackedMatrix> take_packed_words(QuantizedTensors& tensors,
                                                     const std::string& module);

// Divides the columns into groups of this size (0: one group), for which the matrix must have
// scales and packed zero points. Returns why, for errors about other tensors with groups.
[[nodiscard]] Result<std::string> set_column_groups(uint64_t size, uint32_t bits,
                                                    PackedMatrix& matrix);

}  // namespace ambry::convert
