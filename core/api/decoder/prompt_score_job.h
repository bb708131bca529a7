// Scores prompts with a decoder language model, with options as JSON. The prompts are in the
// options, so add() has nothing to do.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "api/model/text_job.h"
#include "base/result.h"
#include "generate/run/generator.h"
#include "generate/scoring/prompt_scores.h"

namespace ambry::api {

class PromptScoreJob final : public TextJob {
 public:
  // `options` is JSON {prompts: [{parts, tail, lead}], list, truncate: end | error, layer}. `layer`
  // is after how many layers the score is taken, all if it is absent. How the model ranks is in its
  // config (model::RerankerConfig). Unsupported at `model` for one that says nothing of it, and at
  // `options.layer` for one without layers that rank; BadValue at `config.reranker.…` for the text
  // of a token that is no token.
  [[nodiscard]] static Result<PromptScoreJob> begin(std::shared_ptr<generate::Generator> generator,
                                                    std::string_view options);

  [[nodiscard]] Result<bool> step() override;

  [[nodiscard]] size_t done_texts() const override { return static_cast<size_t>(last_.loaded); }
  [[nodiscard]] std::optional<size_t> part() const override;
  // A number for the token of a match, and one for the other if there is one.
  [[nodiscard]] TextRows rows() const override {
    return {static_cast<uint32_t>(scores_.width()), scores_.rows(), {}};
  }

 private:
  explicit PromptScoreJob(generate::PromptScores scores) : scores_(std::move(scores)) {}

  generate::PromptScores scores_;
  generate::PassProgress last_;  // counts prompts
};

}  // namespace ambry::api
