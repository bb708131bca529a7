// Checks on a table of tensors that hold in every format.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "io/diagnostics.h"
#include "model/model.h"

namespace ambry::model {

// Bytes of a tensor; nothing when the number passes 64 bits, or when the elements do not fill whole
// blocks of the type, or the type alone does not say (AMB's quantised ones).
[[nodiscard]] std::optional<uint64_t> byte_size(const tensor::Shape& shape, tensor::DType dtype);

// Adds an error for every name that occurs again and every tensor that overlaps another one.
void check_names_unique(const std::vector<TensorEntry>& tensors, io::Diagnostics& diagnostics);
void check_regions_disjoint(const std::vector<TensorEntry>& tensors, io::Diagnostics& diagnostics);

// What a writer asks of its table: no more tensors than readers take, every name once. The first
// fault.
[[nodiscard]] Result<void> check_writable_table(const std::vector<TensorEntry>& tensors);

}  // namespace ambry::model
