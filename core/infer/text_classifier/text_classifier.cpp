#include "infer/text_classifier/text_classifier.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "infer/text_classifier/log_probability.h"

namespace ambry::infer {
namespace {

using model::LabelLoss;

// Sigmoids are read from a table between these bounds. Below they are 0, and above 1.
constexpr float kLargestSum = 8;

Failure not_a_number() {
  return make_error(ErrorCode::BadValue, "text",
                    "the model's numbers are so large that the scores of this text are no numbers");
}

}  // namespace

TextClassifier::TextClassifier(model::TextClassifier facts, MatrixRows input, MatrixRows output)
    : facts_(std::move(facts)),
      features_(facts_),
      input_(std::move(input)),
      output_(std::move(output)),
      sigmoids_() {
  if (facts_.loss == LabelLoss::HierarchicalSoftmax) tree_.emplace(facts_.label_counts);
  for (size_t i = 0; i < sigmoids_.size(); ++i) {
    const float x = static_cast<float>(i * 2) * kLargestSum / kSigmoidSteps - kLargestSum;
    sigmoids_[i] = static_cast<float>(1.0 / (1.0 + static_cast<double>(std::exp(-x))));
  }
}

Result<std::vector<Prediction>> TextClassifier::predict(std::string_view text, size_t k,
                                                        float threshold) const {
  std::vector<float> mean(facts_.dims);
  std::vector<Prediction> predictions;
  if (features_.average(text, facts_.labels, input_, mean) == 0) return predictions;
  BestLabels best(std::min(k, facts_.labels.size()));
  AMBRY_RETURN_IF_ERROR(tree_ ? search_tree(mean, threshold, best)
                              : score_all(mean, threshold, best));
  for (const auto& [score, label] : best.take()) {
    predictions.push_back({label, std::exp(score)});
  }
  return predictions;
}

Result<void> TextClassifier::score_all(std::span<const float> mean, float threshold,
                                       BestLabels& best) const {
  std::vector<float> scores(facts_.labels.size());
  output_.dots(mean, scores);
  if (std::ranges::any_of(scores, [](float x) { return std::isnan(x); })) return not_a_number();
  if (facts_.loss == LabelLoss::Softmax) {
    AMBRY_RETURN_IF_ERROR(to_softmax(scores));
  } else {
    for (float& score : scores) score = table_sigmoid(score);
  }
  for (size_t i = 0; i < scores.size(); ++i) {
    if (scores[i] < threshold) continue;
    const float score = log_probability(scores[i]);
    if (!best.rejects(score)) best.add({score, static_cast<uint32_t>(i)});
  }
  return {};
}

Result<void> TextClassifier::to_softmax(std::span<float> scores) const {
  const float largest = std::ranges::max(scores);
  float sum = 0;
  for (float& score : scores) {
    score = static_cast<float>(std::exp(static_cast<double>(score - largest)));
    sum += score;
  }
  if (std::isnan(sum)) return not_a_number();
  for (float& score : scores) score /= sum;
  return {};
}

float TextClassifier::table_sigmoid(float x) const {
  if (x < -kLargestSum) return 0;
  if (x > kLargestSum) return 1;
  return sigmoids_[static_cast<size_t>((x + kLargestSum) * kSigmoidSteps / kLargestSum / 2)];
}

Result<void> TextClassifier::search_tree(std::span<const float> mean, float threshold,
                                         BestLabels& best) const {
  bool sound = true;
  const auto right_of = [&](uint32_t inner) {
    const float product = output_.dot(mean, inner);
    sound = sound && !std::isnan(product);
    return static_cast<float>(1.0 / static_cast<double>(1.0F + std::exp(-product)));
  };
  tree_->search(log_probability(threshold), right_of, best);
  if (!sound) return not_a_number();
  return {};
}

}  // namespace ambry::infer
