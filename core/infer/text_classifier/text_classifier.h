// A linear classifier of texts, as fastText trains it: the probabilities of labels for a text.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "infer/text_classifier/best_labels.h"
#include "infer/text_classifier/label_tree.h"
#include "infer/text_classifier/matrix_rows.h"
#include "infer/text_classifier/text_features.h"
#include "model/text_classifier/text_classifier_data.h"

namespace ambry::infer {

struct Prediction {
  uint32_t label = 0;
  // fastText adds 1e-5 before it takes a logarithm, for each node of a tree, so this can be a
  // little more than 1.
  float probability = 0;
};

class TextClassifier {
 public:
  // `facts` must have passed the format's check.
  TextClassifier(model::TextClassifier facts, MatrixRows input, MatrixRows output);

  // The `k` most probable labels of at least `threshold`, the best first, k at least 1. There is
  // none for a text that selects no row. BadValue with the path `text` when the rows are so large
  // that the scores are no numbers.
  [[nodiscard]] Result<std::vector<Prediction>> predict(std::string_view text, size_t k,
                                                        float threshold) const;

  // Without what the features have taken.
  [[nodiscard]] const model::TextClassifier& facts() const { return facts_; }
  [[nodiscard]] uint64_t weight_bytes() const { return input_.bytes() + output_.bytes(); }

 private:
  static constexpr size_t kSigmoidSteps = 512;

  Result<void> score_all(std::span<const float> mean, float threshold, BestLabels& best) const;
  Result<void> search_tree(std::span<const float> mean, float threshold, BestLabels& best) const;
  [[nodiscard]] Result<void> to_softmax(std::span<float> scores) const;
  [[nodiscard]] float table_sigmoid(float x) const;

  model::TextClassifier facts_;
  TextFeatures features_;
  MatrixRows input_;
  MatrixRows output_;
  std::optional<LabelTree> tree_;
  std::array<float, kSigmoidSteps + 1> sigmoids_;
};

}  // namespace ambry::infer
