// Opens classifiers of texts as a worker does, and reads predictions.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "api/model/load_model.h"
#include "api/text_classifier/predict_job.h"
#include "api/text_classifier/text_classifier_model.h"
#include "io/json/json.h"

namespace ambry::api::testing {

using File = std::vector<uint8_t>;

inline Result<TextClassifierModel> open_classifier(const File& file) {
  return load_model<TextClassifierModel>(file);
}

inline std::vector<std::string> labels_of(const TextClassifierModel& session) {
  std::vector<std::string> labels;
  const auto info = io::parse_json(session.info());
  EXPECT_TRUE(info);
  for (const io::Json& label : info->find("textClassifier")->find("labels")->items()) {
    labels.push_back(label.string());
  }
  return labels;
}

using Predictions = std::vector<std::pair<std::string, float>>;

// A list for each text.
inline Result<std::vector<Predictions>> predict(const TextClassifierModel& session,
                                                const std::vector<std::string>& texts,
                                                const std::string& options) {
  AMBRY_TRY(PredictJob job, PredictJob::begin(session.classifier(), options));
  for (const std::string& text : texts) job.add(text);
  for (bool done = false; !done;) {
    AMBRY_TRY(done, job.step());
  }
  const std::vector<std::string> labels = labels_of(session);
  std::vector<Predictions> all;
  size_t at = 0;
  for (const uint32_t count : job.row_counts()) {
    Predictions& own = all.emplace_back();
    for (uint32_t i = 0; i < count; ++i, ++at) {
      own.emplace_back(labels[job.labels()[at]], job.result()[at]);
    }
  }
  return all;
}

}  // namespace ambry::api::testing
