#include "infer/encoder/encoder_pass.h"
#include "infer/encoder/encoder_passes.h"
#include "simd/isa.h"

namespace ambry::infer {
namespace {

Result<void> general_pass(const EncoderWeights& weights, EncoderScratch& scratch,
                          std::span<const Sequence> batch, bool first_only, std::span<float> out) {
  return encode<simd::Best, GeneralParts>(weights, scratch, batch, first_only, out);
}

}  // namespace

[[gnu::weak]] EncoderPass general_encoder_pass() { return general_pass; }

}  // namespace ambry::infer
