// Checks on a table of tensors that apply to every format.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "io/diagnostics.h"
#include "model/file/model.h"

namespace ambry::model {

// The size of a tensor in bytes. Returns nothing when it passes 64 bits, when the elements do not
// fill whole blocks of the type, or when the type alone does not determine it (AMB's quantized
// types).
[[nodiscard]] std::optional<uint64_t> byte_size(const tensor::Shape& shape, tensor::DType dtype);

// Adds an error for each repeated name and for each tensor that overlaps another.
void check_names_unique(const std::vector<TensorEntry>& tensors, io::Diagnostics& diagnostics);
void check_regions_disjoint(const std::vector<TensorEntry>& tensors, io::Diagnostics& diagnostics);

// Checks what writers require: no more tensors than readers accept, and no repeated name. Returns
// the first fault.
[[nodiscard]] Result<void> check_writable_table(const std::vector<TensorEntry>& tensors);

}  // namespace ambry::model
