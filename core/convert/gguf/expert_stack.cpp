#include "convert/gguf/expert_stack.h"

#include <utility>

#include "convert/quantize/quantize_plan.h"
#include "convert/tensor/repack_transform.h"
#include "tensor/dtype/dtype_table.h"

namespace ambry::convert {

using model::TensorEntry;

Result<void> begin_expert_stack(const SourceModel& source, const TensorEntry& from, Plan& plan) {
  TensorEntry& target = plan.target.tensors.back();
  Output& output = plan.outputs.back();
  if (output.transpose || output.scale) {
    return error_at(ErrorCode::Unsupported, from.index_offset, from.name,
                    "experts of this form cannot become one tensor");
  }
  target.shape = {1, target.shape[0], target.shape[1]};
  // Codes and scales apart are of one tensor, so those of several are coded anew.
  if (output.method != Method::Repack || output.inputs.size() == 1) return {};
  output.inputs = {source.input(from)};
  output.method = Method::Encode;
  warn_if_quantized_before(output, target, plan.warnings);
  return {};
}

Result<void> add_to_expert_stack(const SourceModel& source, const TensorEntry& from, Plan& plan) {
  TensorEntry& target = plan.target.tensors.back();
  Output& output = plan.outputs.back();
  const TensorEntry& first = output.inputs.front().tensor;
  Input input = source.input(from);
  if (output.method == Method::Repack) {
    AMBRY_TRY(auto parts, repacked_parts(from));
    input.tensor = std::move(parts.front());
  }
  if (input.tensor.dtype != first.dtype || input.tensor.quantization != first.quantization) {
    return error_at(ErrorCode::Unsupported, from.index_offset, from.name,
                    {"is ", dtype_name(from.dtype), ", but another expert of its layer is ",
                     dtype_name(first.dtype), "; GGUF has one type for all of them"});
  }
  output.inputs.push_back(std::move(input));
  target.shape = {output.inputs.size(), target.shape[1], target.shape[2]};
  return {};
}

}  // namespace ambry::convert
