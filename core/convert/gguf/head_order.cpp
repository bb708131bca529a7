#include "convert/gguf/head_order.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "tensor/dtype/dtype_table.h"

namespace ambry::convert {
namespace {

using model::GatedDeltaConfig;

// The rows of all heads of values begin at `first` and each head has `rows`; 0: it has none.
struct HeadRows {
  uint64_t first = 0;
  uint64_t rows = 0;
};

HeadRows head_rows(const GatedDeltaConfig& sizes, std::string_view name) {
  if (name.ends_with(".attn_qkv") || name.ends_with(".ssm_conv1d")) {
    return {2 * sizes.keys(), sizes.value_dim};
  }
  if (name.ends_with(".attn_gate")) return {0, sizes.value_dim};
  const bool has_one = name.ends_with(".ssm_beta") || name.ends_with(".ssm_alpha") ||
                       name.ends_with(".ssm_a") || name.ends_with(".ssm_dt.bias");
  return {0, has_one ? 1U : 0U};
}

bool is_ordered(const GatedDeltaConfig& sizes) {
  return sizes.tiled || sizes.n_key_heads == sizes.n_value_heads || sizes.n_key_heads == 1;
}

// The head at this place in GGUF.
uint64_t head_at(const GatedDeltaConfig& sizes, uint64_t place) {
  const uint64_t of_each = sizes.n_value_heads / sizes.n_key_heads;
  return place % sizes.n_key_heads * of_each + place / sizes.n_key_heads;
}

}  // namespace

Result<void> order_head_rows(const GatedDeltaConfig& sizes, std::string_view name, Output& output) {
  const HeadRows heads = head_rows(sizes, name);
  if (heads.rows == 0 || is_ordered(sizes)) return {};
  const Input whole = std::move(output.inputs.front());
  output.inputs.clear();
  if (!whole.strides.empty()) {
    return error_at(ErrorCode::Unsupported, whole.tensor.index_offset, whole.tensor.name,
                    "not stored row after row, so the rows of its heads cannot be separated");
  }
  const auto take = [&](uint64_t first, uint64_t n) -> Result<void> {
    Input part = whole;
    AMBRY_TRY(part.tensor, row_range(whole.tensor, first, n));
    output.inputs.push_back(std::move(part));
    return {};
  };
  if (heads.first > 0) AMBRY_RETURN_IF_ERROR(take(0, heads.first));
  for (uint64_t place = 0; place < sizes.n_value_heads; ++place) {
    const uint64_t head = head_at(sizes, place);
    AMBRY_RETURN_IF_ERROR(take(heads.first + head * heads.rows, heads.rows));
  }
  return {};
}

Result<void> order_head_columns(const GatedDeltaConfig& sizes, std::string_view name,
                                const model::TensorEntry& target, Output& output) {
  if (!name.ends_with(".ssm_out") || is_ordered(sizes)) return {};
  const model::TensorEntry& from = output.inputs.front().tensor;
  const bool encodes = output.method == Method::Encode || output.method == Method::Convert;
  if (!encodes && !is_float(target.dtype)) {
    return error_at(ErrorCode::Unsupported, from.index_offset, from.name,
                    {"its columns must be reordered for GGUF, which ", dtype_name(from.dtype),
                     " does not allow; choose f32 or f16, or convert the original weights"});
  }
  if (!encodes) output.method = Method::Convert;
  output.change.apply = [sizes](const RowChange::Values& /*companions*/, uint64_t /*first_row*/,
                                uint64_t n_cols, std::span<float> rows) {
    std::vector<float> row(static_cast<size_t>(n_cols));
    for (auto at = rows.begin(); at != rows.end(); at += static_cast<std::ptrdiff_t>(n_cols)) {
      std::copy_n(at, n_cols, row.begin());
      for (uint64_t place = 0; place < sizes.n_value_heads; ++place) {
        std::copy_n(
            row.begin() + static_cast<std::ptrdiff_t>(head_at(sizes, place) * sizes.value_dim),
            sizes.value_dim, at + static_cast<std::ptrdiff_t>(place * sizes.value_dim));
      }
    }
  };
  return {};
}

}  // namespace ambry::convert
