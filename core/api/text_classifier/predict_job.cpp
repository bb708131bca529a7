#include "api/text_classifier/predict_job.h"

#include <algorithm>

#include "api/call/options.h"
#include "io/json/json.h"

namespace ambry::api {
namespace {

// Between two steps the job can be cancelled. A step ends after this many bytes of texts.
constexpr size_t kStepBytes = 64 << 10;

}  // namespace

Result<PredictJob> PredictJob::begin(std::shared_ptr<const infer::TextClassifier> classifier,
                                     std::string_view options) {
  AMBRY_TRY(const io::Json json, io::parse_json(options, 0, "options"));
  AMBRY_TRY(const uint64_t k, read_count(json, "k", 5));
  if (k == 0) return bad_option("k", "must be an integer of 1 or more");
  AMBRY_TRY(const double threshold, read_number(json, "threshold", 0));
  if (!(threshold >= 0 && threshold <= 1)) {
    return bad_option("threshold", "must be a number from 0 to 1");
  }
  return PredictJob(std::move(classifier), k, static_cast<float>(threshold));
}

Result<bool> PredictJob::step() {
  const auto k = static_cast<size_t>(std::min<uint64_t>(k_, SIZE_MAX));
  size_t bytes = 0;
  while (done_texts_ < texts().size() && bytes < kStepBytes) {
    const std::string& text = texts()[done_texts_];
    auto predicted = classifier_->predict(text, k, threshold_);
    if (!predicted) {
      return make_error(predicted.error().code, {"texts[", done_texts_, "]"},
                        predicted.error().message);
    }
    counts_.push_back(static_cast<uint32_t>(predicted->size()));
    for (const auto& [label, probability] : *predicted) {
      labels_.push_back(label);
      probabilities_.push_back(probability);
    }
    bytes += text.size() + 1;
    ++done_texts_;
  }
  return done_texts_ == texts().size();
}

}  // namespace ambry::api
