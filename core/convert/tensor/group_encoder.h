// Makes the tensors of a group-quantized layer. Codes, scales and zero points are separate tensors,
// and each is computed from the same floats.
#pragma once

#include <memory>

#include "convert/tensor/block_encoder.h"

namespace ambry::convert {

[[nodiscard]] std::unique_ptr<FloatEncoder> make_group_encoder(const GroupCoding& coding);

}  // namespace ambry::convert
