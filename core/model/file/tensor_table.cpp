#include "model/file/tensor_table.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/order.h"
#include "io/limits.h"

namespace ambry::model {
namespace {

// Sorts positions instead of copies of the entries: 4 bytes a tensor.
template <class Less>
std::vector<uint32_t> sorted_positions(const std::vector<TensorEntry>& tensors, Less less) {
  return sorted_order(tensors.size(),
                      [&](uint32_t a, uint32_t b) { return less(tensors[a], tensors[b]); });
}

std::string path_of(uint32_t position, std::string_view field) {
  return "tensors[" + std::to_string(position) + "]." + std::string(field);
}

}  // namespace

std::optional<uint64_t> byte_size(const tensor::Shape& shape, tensor::DType dtype) {
  const tensor::Block block = tensor::block_of(dtype);
  const auto count = shape.count();
  if (!count || block.elements == 0 || *count % block.elements != 0) return std::nullopt;
  return checked_mul(*count / block.elements, block.bytes);
}

void check_names_unique(const std::vector<TensorEntry>& tensors, io::Diagnostics& diagnostics) {
  const auto order =
      sorted_positions(tensors, [](const auto& a, const auto& b) { return a.name < b.name; });
  for (size_t i = 1; i < order.size(); ++i) {
    const TensorEntry& tensor = tensors[order[i]];
    if (tensor.name != tensors[order[i - 1]].name) continue;
    diagnostics.error(error_at(ErrorCode::BadValue, tensor.index_offset, path_of(order[i], "name"),
                               {"the name \"", tensor.name, "\" occurs twice"}));
  }
}

void check_regions_disjoint(const std::vector<TensorEntry>& tensors, io::Diagnostics& diagnostics) {
  const auto order =
      sorted_positions(tensors, [](const auto& a, const auto& b) { return a.offset < b.offset; });
  uint64_t end = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    const TensorEntry& tensor = tensors[order[i]];
    if (tensor.bytes == 0) continue;
    if (tensor.offset < end) {
      diagnostics.error(error_at(ErrorCode::BadValue, tensor.index_offset,
                                 path_of(order[i], "data_offset"),
                                 {"the data of \"", tensor.name, "\" overlaps another tensor's"}));
    }
    end = std::max(end, tensor.offset + tensor.bytes);
  }
}

Result<void> check_writable_table(const std::vector<TensorEntry>& tensors) {
  if (tensors.size() > io::kMaxTensors) {
    return make_error(ErrorCode::LimitExceeded, "tensors",
                      {"there are more than ", io::kMaxTensors, " tensors"});
  }
  io::Diagnostics found;
  check_names_unique(tensors, found);
  if (found.errors.empty()) return {};
  return std::move(found.errors.front());
}

}  // namespace ambry::model
