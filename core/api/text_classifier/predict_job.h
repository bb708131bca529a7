// Classifies texts. Results are read as they come, so that a long list of texts takes no memory for
// the results of earlier steps.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/model/text_job.h"
#include "base/result.h"
#include "infer/text_classifier/text_classifier.h"

namespace ambry::api {

class PredictJob final : public TextJob {
 public:
  // `options` is JSON {k: 5, threshold: 0}, both optional. BadValue with the path `options.…`
  // unless k is an integer of 1 or more and the threshold a number from 0 to 1.
  [[nodiscard]] static Result<PredictJob> begin(
      std::shared_ptr<const infer::TextClassifier> classifier, std::string_view options);

  // Classifies some texts. Returns true when all are done. BadValue with the path `texts[i]` when
  // the scores are no numbers.
  [[nodiscard]] Result<bool> step() override;

  [[nodiscard]] size_t done_texts() const override { return done_texts_; }
  // The probabilities of all texts so far. A text has a row of one number for each prediction.
  [[nodiscard]] TextRows rows() const override { return {1, probabilities_, counts_}; }
  // The labels of the predictions, by index.
  [[nodiscard]] std::span<const uint32_t> labels() const { return labels_; }

 private:
  PredictJob(std::shared_ptr<const infer::TextClassifier> classifier, uint64_t k, float threshold)
      : classifier_(std::move(classifier)), k_(k), threshold_(threshold) {}

  std::shared_ptr<const infer::TextClassifier> classifier_;
  uint64_t k_;
  float threshold_;
  size_t done_texts_ = 0;
  std::vector<uint32_t> counts_;
  std::vector<uint32_t> labels_;
  std::vector<float> probabilities_;
};

}  // namespace ambry::api
