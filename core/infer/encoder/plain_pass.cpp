#include "infer/encoder/encoder_pass.h"
#include "infer/encoder/encoder_passes.h"
#include "simd/isa.h"

namespace ambry::infer {

Result<void> plain_pass(const EncoderWeights& weights, EncoderScratch& scratch,
                        std::span<const Sequence> batch, bool first_only, std::span<float> out) {
  return encode<simd::Best, PlainParts>(weights, scratch, batch, first_only, out);
}

}  // namespace ambry::infer
