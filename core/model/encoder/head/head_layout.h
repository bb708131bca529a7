// The parts of an architecture's classification head: the names of their tensors in Hugging Face's
// `*ForSequenceClassification`, without `.weight` and `.bias`.
#pragma once

#include <string_view>

#include "model/encoder/head/dense_layers.h"

namespace ambry::model {

struct HeadLayout {
  // NOLINTBEGIN(readability-redundant-member-init): compilers warn of members that are left out
  std::string_view classifier = {};  // empty: heads of this architecture are not supported
  std::string_view dense = {};       // before the classifier
  std::string_view norm = {};        // between them; empty: there is none
  // NOLINTEND(readability-redundant-member-init)
  DenseActivation activation = DenseActivation::Tanh;  // of `dense`, unless a model states another
};

}  // namespace ambry::model
