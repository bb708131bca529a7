// Loads a static encoder from the bytes of its file, and embeds texts.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "api/model/load_model.h"
#include "api/static_encoder/static_encoder_model.h"
#include "base/concat.h"

namespace ambry::api::testing {

inline Result<StaticEncoderModel> load_static(const std::vector<uint8_t>& file,
                                              std::string_view weights = "as-stored") {
  return load_model<StaticEncoderModel>(file, concat({R"({"weights":")", weights, R"("})"}));
}

inline Result<StaticEmbedJob> run_job(const StaticEncoderModel& session,
                                      const std::vector<std::string>& texts,
                                      std::string_view options = "{}") {
  AMBRY_TRY(StaticEmbedJob job, StaticEmbedJob::begin(session.runtime(), options));
  for (const std::string& text : texts) job.add(text);
  AMBRY_RETURN_IF_ERROR(job.start());
  for (;;) {
    AMBRY_TRY(const bool done, job.step());
    if (done) return job;
  }
}

inline Result<std::vector<float>> embed(const StaticEncoderModel& session,
                                        const std::vector<std::string>& texts,
                                        std::string_view options = "{}") {
  AMBRY_TRY(const StaticEmbedJob job, run_job(session, texts, options));
  return std::vector<float>(job.result().begin(), job.result().end());
}

}  // namespace ambry::api::testing
