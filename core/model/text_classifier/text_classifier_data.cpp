#include "model/text_classifier/text_classifier_data.h"

#include <array>

namespace ambry::model {

std::string_view label_loss_name(LabelLoss loss) {
  static constexpr std::array<std::string_view, 4> kNames = {"hs", "ns", "softmax", "ova"};
  return kNames[static_cast<size_t>(loss) - 1];
}

TextClassifier::TextClassifier() = default;
TextClassifier::TextClassifier(const TextClassifier&) = default;
TextClassifier::TextClassifier(TextClassifier&&) noexcept = default;
TextClassifier& TextClassifier::operator=(const TextClassifier&) = default;
TextClassifier& TextClassifier::operator=(TextClassifier&&) noexcept = default;
TextClassifier::~TextClassifier() = default;

}  // namespace ambry::model
