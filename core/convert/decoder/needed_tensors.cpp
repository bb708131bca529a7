#include "convert/decoder/needed_tensors.h"

#include "convert/tensor/target_dtype.h"
#include "model/decoder/forward_pass_tensors.h"

namespace ambry::convert {

Result<void> leave_out(const model::TensorEntry& tensor, uint64_t n_layers, const Text& reason,
                       const Options& options, std::vector<Error>& warnings) {
  Failure loss = error_at(ErrorCode::Unsupported, tensor.index_offset, tensor.name, reason);
  if (!model::is_in_forward_pass(tensor.name, n_layers))
    return lose(options, warnings, std::move(loss));
  loss->message += ", and the model computes with it, so it cannot be left out";
  return loss;
}

}  // namespace ambry::convert
