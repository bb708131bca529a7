#include "infer/decoder/decoder_builder.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/bytes.h"
#include "io/crc32.h"

namespace ambry::infer {
namespace {

using model::DecoderConfig;
using model::DecoderPositions;

// Whether positions past the length that the model was made for are meaningful: only distances
// count (a sliding window, ALiBi), or the rotation stretches with the sequence.
bool may_be_longer(const DecoderConfig& config) {
  switch (config.positions) {
    case DecoderPositions::Rope:
      return (config.sliding_window.has_value() &&
              std::ranges::all_of(config.local_layers, std::identity())) ||
             config.rope_scaling.kind == model::RopeScaling::Kind::Dynamic;
    case DecoderPositions::Learned:
      return false;
    default:
      return true;
  }
}

Result<uint64_t> context_of(const DecoderConfig& config, uint64_t wanted) {
  if (wanted == 0) return config.max_seq_len;
  if (wanted > UINT32_MAX) {
    return make_error(ErrorCode::LimitExceeded, "options.context",
                      {wanted, " tokens, at most ", UINT32_MAX, " are supported"});
  }
  if (wanted <= config.max_seq_len || may_be_longer(config)) return wanted;
  return make_error(ErrorCode::LimitExceeded, "options.context",
                    {wanted, " tokens, but the model was made for ", config.max_seq_len});
}

// All vectors, and matrices in the order of a pass as long as they fit.
std::vector<bool> wanted_first(const WeightPlan& plan, const DecoderOptions& options,
                               size_t n_tensors) {
  std::vector<bool> wanted(n_tensors);
  uint64_t left = options.resident == 0 ? UINT64_MAX : options.resident;
  const auto want = [&](const PlannedTensor& tensor) {
    if (wanted[tensor.tensor] || tensor.resident_bytes > left) return;
    wanted[tensor.tensor] = true;
    left -= tensor.resident_bytes;
  };
  for (const PlannedTensor& tensor : plan.tensors) {
    if (!tensor.is_matrix()) want(tensor);
  }
  if (options.device) return wanted;
  for (const std::vector<size_t>& part : plan.parts) {
    for (const size_t i : part) want(plan.tensors[i]);
  }
  return wanted;
}

}  // namespace

Result<DecoderBuilder> DecoderBuilder::plan(const model::Model& model, const DecoderConfig& config,
                                            const DecoderOptions& options) {
  DecoderOptions settled = options;
  AMBRY_TRY(settled.context, context_of(config, options.context));
  AMBRY_TRY(WeightPlan plan, plan_weights(model, config, options.activations));
  if (options.device) settled.resident = plan.least_bytes;
  if (options.resident != 0 && options.resident < plan.least_bytes) {
    return make_error(ErrorCode::LimitExceeded, "options.resident",
                      {options.resident,
                       " bytes are too few: the largest part of the model and its "
                       "norms take ",
                       plan.least_bytes});
  }
  std::vector<bool> wanted = wanted_first(plan, settled, model.tensors.size());
  Decoder decoder(std::move(plan), settled);
  decoder.identity_.config = io::crc32(as_bytes(model.config.dump()));
  return DecoderBuilder(std::move(decoder), std::move(wanted));
}

bool DecoderBuilder::wants(size_t tensor_index) const {
  return tensor_index < wanted_.size() && wanted_[tensor_index];
}

Result<void> DecoderBuilder::accept(size_t tensor_index, AlignedBuffer bytes) {
  return decoder_.put_tensor(tensor_index, std::move(bytes));
}

Result<Decoder> DecoderBuilder::finish() && {
  for (size_t i = 0; i < decoder_.resident_.size(); ++i) {
    const PlannedTensor& tensor = decoder_.plan_.tensors[i];
    if (!wanted_[tensor.tensor] || decoder_.resident_[i]) continue;
    return make_error(ErrorCode::NotFound, tensor.name, "its bytes were not given");
  }
  return std::move(decoder_);
}

}  // namespace ambry::infer
