// In a file of its own: the modules of small encoders do not link it.
#include "infer/encoder/encoder.h"
#include "infer/encoder/head/token_head_pass.h"

namespace ambry::infer {

Result<AlignedBuffer> Encoder::token_logits(std::span<const float> hidden) const {
  return run_token_head(*weights_, hidden);
}

}  // namespace ambry::infer
