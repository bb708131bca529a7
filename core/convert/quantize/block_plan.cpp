#include "convert/quantize/block_plan.h"

#include <algorithm>
#include <array>

#include "convert/quantize/quantize_plan.h"
#include "convert/tensor/target_dtype.h"
#include "tensor/codec/blocks/blocks.h"
#include "tensor/dtype/dtype_table.h"

namespace ambry::convert {
namespace {

using model::TensorEntry;
using tensor::DType;

constexpr auto kTypes =
    tensor::dtypes_where<[](const tensor::DTypeRow& row) { return row.encoded; }>();

constexpr std::array<std::string_view, 2> kTables = {"position_embd.weight", "token_types.weight"};

uint64_t row_length(const TensorEntry& tensor) { return tensor.shape[tensor.shape.rank() - 1]; }

bool fits(DType dtype, const TensorEntry& tensor) {
  return row_length(tensor) % tensor::block_of(dtype).elements == 0;
}

// The tensors that have more bits in a file of mostly one type: an error in them costs more.
struct Mixed {
  DType mostly;
  std::string_view tensor;  // GGUF's name in a layer, with what follows the index
  DType dtype;
};
constexpr std::array kMixed = {
    Mixed{DType::Q2_K, ".attn_v.weight", DType::Q3_K},
    Mixed{DType::Q2_K, ".attn_output.weight", DType::Q3_K},
    Mixed{DType::Q2_K, ".ffn_down.weight", DType::Q3_K},
    Mixed{DType::Q3_K, ".attn_v.weight", DType::Q4_K},
    Mixed{DType::Q3_K, ".attn_qkv.weight", DType::Q4_K},
    Mixed{DType::Q3_K, ".attn_output.weight", DType::Q4_K},
    Mixed{DType::Q3_K, ".ffn_down.weight", DType::Q4_K},
    Mixed{DType::Q5_K, ".attn_v.weight", DType::Q6_K},
    Mixed{DType::Q5_K, ".attn_qkv.weight", DType::Q6_K},
    Mixed{DType::Q5_K, ".ffn_down.weight", DType::Q6_K},
};

DType type_in_file_of(DType mostly, const TensorEntry& target, bool makes_logits) {
  bool mixed = false;
  for (const Mixed& row : kMixed) {
    if (row.mostly != mostly) continue;
    mixed = true;
    if (target.name.ends_with(row.tensor)) return row.dtype;
  }
  return mixed && makes_logits ? DType::Q6_K : mostly;
}

// The type in which the rows are whole blocks.
DType type_for(DType wanted, const TensorEntry& target, std::vector<Error>& warnings) {
  if (fits(wanted, target)) return wanted;
  const DType instead = fits(DType::Q8_0, target) ? DType::Q8_0 : DType::F16;
  warnings.push_back(make_error(
      ErrorCode::Unsupported, target.name,
      {"stored as ", dtype_name(instead), ": its rows of ", row_length(target),
       " numbers are no whole number of blocks of ", tensor::block_of(wanted).elements}));
  return instead;
}

}  // namespace

std::optional<DType> encoded_block_type(std::string_view type) {
  const auto* found = std::ranges::find(kTypes, type, tensor::dtype_name);
  return found == kTypes.end() ? std::nullopt : std::optional(*found);
}

Result<void> check_block_options(const QuantizeOptions& options) {
  const bool weighed = options.activations != nullptr && options.type == dtype_name(DType::Q8_0);
  const char* const given = options.scale_type                                   ? "options.scale"
                            : options.block_size != QuantizeOptions().block_size ? "options.block"
                            : weighed ? "options.calibration"
                                      : nullptr;
  if (given == nullptr) return {};
  return make_error(ErrorCode::Unsupported, given,
                    {"the blocks of ", options.type, " leave no choice here; leave it out"});
}

bool is_convolution(std::string_view name) {
  return name.ends_with(".conv.weight") || name.ends_with("conv1d.weight");
}

bool becomes_blocks(const TensorEntry& target, const QuantizeOptions& options) {
  const std::string_view name = target.name;
  if (target.shape.rank() < 2 || !name.ends_with(".weight")) return false;
  if (std::ranges::find(kTables, name) != kTables.end() || is_convolution(name)) return false;
  if (name.find("ffn_gate_inp") != std::string_view::npos) return false;
  const bool embedding = name == "token_embd.weight" || name == "per_layer_token_embd.weight";
  if (options.keep_embeddings && embedding) return false;
  if (options.keep_output && name == "output.weight") return false;
  return std::ranges::find(options.keep, name) == options.keep.end();
}

bool is_output(std::string_view name, bool tied) {
  return name == "output.weight" || (tied && name == "token_embd.weight");
}

Result<void> store_as_blocks(const QuantizeOptions& options, bool makes_logits, Output& output,
                             TensorEntry& target, std::vector<Error>& warnings) {
  const TensorEntry& from = output.inputs.front().tensor;
  if (!can_become_floats(from)) {
    return error_at(ErrorCode::Unsupported, from.index_offset, from.name,
                    {dtype_name(from.dtype), " cannot be converted"});
  }
  const DType wanted = type_in_file_of(*encoded_block_type(options.type), target, makes_logits);
  target.dtype = type_for(wanted, target, warnings);
  target.quantization.reset();
  const bool changed = output.transpose || output.change.apply != nullptr || output.scale;
  if (from.dtype == target.dtype && !changed) {
    output.method = Method::Copy;
    return {};
  }
  warn_if_quantized_before(output, target, warnings);
  output.method = is_plain(target.dtype) ? Method::Convert : Method::Encode;
  return {};
}

Result<void> check_kept(const model::Model& target, const QuantizeOptions& options) {
  for (const std::string& name : options.keep) {
    if (std::ranges::find(target.tensors, name, &TensorEntry::name) != target.tensors.end())
      continue;
    return make_error(ErrorCode::NotFound, "options.keep", {"the target has no tensor ", name});
  }
  return {};
}

}  // namespace ambry::convert
