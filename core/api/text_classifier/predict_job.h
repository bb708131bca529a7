// Classifies texts: add() for each text, then step() until it returns true. Results are read as
// they come, so that a long list of texts takes no memory for the results of earlier steps.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "infer/text_classifier/text_classifier.h"

namespace ambry::api {

class PredictJob {
 public:
  // `options` is JSON {k: 1, threshold: 0}, both optional. BadValue with the path `options.…`
  // unless k is an integer of 1 or more and the threshold a number from 0 to 1.
  [[nodiscard]] static Result<PredictJob> begin(
      std::shared_ptr<const infer::TextClassifier> classifier, std::string_view options);

  void add(std::string_view text) { texts_.emplace_back(text); }
  // Classifies some texts. Returns true when all are done. BadValue with the path `texts[i]` when
  // the scores are no numbers.
  [[nodiscard]] Result<bool> step();

  [[nodiscard]] size_t done_texts() const { return done_texts_; }
  // For all texts so far, one after another: how many predictions each has, their labels by index,
  // and their probabilities.
  [[nodiscard]] std::span<const uint32_t> counts() const { return counts_; }
  [[nodiscard]] std::span<const uint32_t> labels() const { return labels_; }
  [[nodiscard]] std::span<const float> probabilities() const { return probabilities_; }

 private:
  PredictJob(std::shared_ptr<const infer::TextClassifier> classifier, uint64_t k, float threshold)
      : classifier_(std::move(classifier)), k_(k), threshold_(threshold) {}

  std::shared_ptr<const infer::TextClassifier> classifier_;
  uint64_t k_;
  float threshold_;
  std::vector<std::string> texts_;
  size_t done_texts_ = 0;
  std::vector<uint32_t> counts_;
  std::vector<uint32_t> labels_;
  std::vector<float> probabilities_;
};

}  // namespace ambry::api
