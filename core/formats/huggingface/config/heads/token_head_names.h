// What Transformers calls the tensors of heads that every token passes, by architecture.
#pragma once

#include <cstdint>
#include <string_view>

#include "model/encoder/architectures/encoder_architecture.h"
#include "model/encoder/head/head_config.h"
#include "model/encoder/head/head_layout.h"

namespace ambry::formats::huggingface {

// What says which activation the dense layer of a head has: a key of the head's own, the key of the
// encoder's layers, or the layers as they run.
enum class HeadActivation : uint8_t { OwnKey, LayersKey, Layers };

struct TokenHeadNames {
  model::HeadLayout parts;
  // The bias of the classifier, where the classifier's own name does not give it. Empty: it does.
  std::string_view bias = {};
  HeadActivation activation = HeadActivation::OwnKey;
  // Names that the same tensors have in newer files. nullptr: there are none.
  const TokenHeadNames* newer = nullptr;
  // Whether the classifier of a masked language model has a matrix of its own, unless config.json
  // says that it is tied.
  bool own_matrix = false;
};

// The names for a task of this architecture. The classifier's name is empty where such heads are
// not supported.
[[nodiscard]] TokenHeadNames token_head_names(const model::EncoderArchitecture& architecture,
                                              model::HeadTask task);

}  // namespace ambry::formats::huggingface
