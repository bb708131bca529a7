// Checks on a table of tensors that hold in every format.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "io/diagnostics.h"
#include "model/model.h"

namespace ambry::model {

// Bytes of a dense tensor; nothing when the number passes 64 bits.
[[nodiscard]] std::optional<uint64_t> byte_size(const tensor::Shape& shape, tensor::DType dtype);

// Adds an error for every name that occurs again and every tensor that overlaps another one.
void check_names_unique(const std::vector<TensorEntry>& tensors, io::Diagnostics& diagnostics);
void check_regions_disjoint(const std::vector<TensorEntry>& tensors, io::Diagnostics& diagnostics);

}  // namespace ambry::model
