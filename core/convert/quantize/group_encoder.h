// Makes the tensors of a layer whose integers share scales by groups: the codes, the scales and the
// zero points are tensors of their own, each made from the same floats.
#pragma once

#include <memory>

#include "convert/tensor/block_encoder.h"

namespace ambry::convert {

[[nodiscard]] std::unique_ptr<FloatEncoder> make_group_encoder(const GroupCoding& coding);

}  // namespace ambry::convert
