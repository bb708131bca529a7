#include "convert/plan/plan.h"

#include <cassert>
#include <utility>

#include "tensor/codec/codes/codec_layout.h"
#include "tensor/dtype/shape.h"

namespace ambry::convert {
namespace {

using model::TensorEntry;

// The bytes before the rows, if rows lie one after another.
std::optional<uint64_t> bytes_before_rows(const TensorEntry& tensor) {
  if (tensor::block_of(tensor.dtype).elements != 0) return 0;
  if (tensor::arrangement_of(tensor.dtype) != tensor::Arrangement::ScaleInBlock) {
    return std::nullopt;
  }
  const tensor::Quantization how = tensor.quantization.value_or(tensor::Quantization());
  if (how.across_rows) return std::nullopt;
  return how.prefix_bytes;
}

}  // namespace

void add_output(Plan& plan, TensorEntry target, Output output) {
  plan.target.tensors.push_back(std::move(target));
  plan.outputs.push_back(std::move(output));
}

Input first_columns(Input input, uint64_t n) {
  TensorEntry& tensor = input.tensor;
  assert(is_plain(tensor.dtype) && tensor.shape.rank() == 2 && n <= tensor.shape[1]);
  if (n == tensor.shape[1]) return input;
  input.stored_columns = tensor.shape[1];
  tensor.bytes = tensor.bytes / tensor.shape[1] * n;
  tensor.shape = {tensor.shape[0], n};
  return input;
}

TensorEntry stored_tensor(const Input& input) {
  TensorEntry whole = input.tensor;
  if (input.stored_columns == 0) return whole;
  whole.bytes = whole.bytes / whole.shape[1] * input.stored_columns;
  whole.shape = {whole.shape[0], input.stored_columns};
  return whole;
}

std::optional<uint64_t> stored_row_bytes(const TensorEntry& tensor) {
  const auto before = bytes_before_rows(tensor);
  if (before != 0 || tensor.shape.rank() == 0 || tensor.shape[0] == 0) return std::nullopt;
  // If blocks cross rows, a row has no bytes of its own.
  if (tensor.bytes % tensor.shape[0] != 0) return std::nullopt;
  const tensor::Block block = tensor::block_of(tensor.dtype);
  const uint64_t bytes = tensor.bytes / tensor.shape[0];
  if (block.elements != 0 && bytes % block.bytes != 0) return std::nullopt;
  return bytes;
}

Result<TensorEntry> row_range(const TensorEntry& tensor, uint64_t first, uint64_t n) {
  const uint64_t rows = tensor.shape.rank() == 0 ? 1 : tensor.shape[0];
  if (first > rows || n > rows - first) {
    return error_at(ErrorCode::Mismatch, tensor.index_offset, tensor.name,
                    {"rows ", first, " to ", first + n, " are needed, but there are ", rows});
  }
  TensorEntry part = tensor;
  if (const auto before = bytes_before_rows(tensor); before && *before != 0) {
    part.offset += *before;
    part.bytes -= *before;
    part.quantization->prefix_bytes = 0;
  }
  const auto row_bytes = stored_row_bytes(part);
  if (!row_bytes) {
    return error_at(ErrorCode::Unsupported, tensor.index_offset, tensor.name,
                    {"a tensor of ", dtype_name(tensor.dtype), " cannot be split into rows"});
  }
  part.offset += first * *row_bytes;
  part.bytes = n * *row_bytes;
  part.shape = {n};
  for (size_t axis = 1; axis < tensor.shape.rank(); ++axis) {
    part.shape.push_back(tensor.shape[axis]);
  }
  return part;
}

}  // namespace ambry::convert
