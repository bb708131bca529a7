// The names of the tensors of a head's parts, without `.weight` and `.bias`. Those of an
// architecture's classification head are the names in Hugging Face's `*ForSequenceClassification`.
#pragma once

#include <cstdint>
#include <string_view>

#include "model/encoder/head/dense_layers.h"

namespace ambry::model {

// What of the tokens' states goes into a head of a text.
enum class HeadPooling : uint8_t {
  First,  // the first token's
  Mean,   // of all tokens
  Late,   // the mean of what the dense layer gives for each token
};

struct HeadLayout {
  // NOLINTBEGIN(readability-redundant-member-init): compilers warn of members that are left out
  std::string_view classifier = {};  // empty: heads of this architecture are not supported
  std::string_view dense = {};       // before the classifier
  std::string_view norm = {};        // between them; empty: there is none
  // NOLINTEND(readability-redundant-member-init)
  DenseActivation activation = DenseActivation::Tanh;  // of `dense`, unless a model states another
  // The key of config.json that says whether there is a dense layer; without it there is one.
  const char* dense_flag = nullptr;
  const char* activation_key = nullptr;  // of config.json, where another key than usual states it
  HeadPooling pooling = HeadPooling::First;  // of a config.json that states none
};

}  // namespace ambry::model
