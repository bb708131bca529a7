// What settings of a decoder's config are called.
#pragma once

#include <array>
#include <string_view>

#include "model/decoder/architectures/architecture.h"

namespace ambry::model {

template <class T>
struct Named {
  std::string_view name;
  T value;
};

inline constexpr std::array<Named<DecoderActivation>, 10> kActivations = {
    {{"silu", DecoderActivation::Silu},
     {"swish", DecoderActivation::Silu},
     {"swiglu", DecoderActivation::Silu},
     {"gelu", DecoderActivation::Gelu},
     {"gelu_tanh", DecoderActivation::GeluTanh},
     {"gelu_new", DecoderActivation::GeluTanh},
     {"gelu_pytorch_tanh", DecoderActivation::GeluTanh},
     {"relu", DecoderActivation::Relu},
     {"relu2", DecoderActivation::ReluSquared},
     {"xielu", DecoderActivation::Xielu}}};
inline constexpr std::array<Named<DecoderNorm>, 5> kNorms = {{{"rms", DecoderNorm::Rms},
                                                              {"rmsnorm", DecoderNorm::Rms},
                                                              {"rms_norm", DecoderNorm::Rms},
                                                              {"layer", DecoderNorm::Layer},
                                                              {"layernorm", DecoderNorm::Layer}}};
inline constexpr std::array<Named<RopeStyle>, 2> kRopeStyles = {
    {{"half", RopeStyle::Half}, {"interleaved", RopeStyle::Interleaved}}};

}  // namespace ambry::model
