// Decides questions about texts, with options as JSON.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "api/decoder/pass_job.h"
#include "base/result.h"
#include "generate/run/generator.h"
#include "generate/scoring/choice_scores.h"

namespace ambry::api {

class DecideJob final : public PassJob {
 public:
  // `options` is JSON {questions: [{head, items}], texts: [{head, items}], special: true, byTokens:
  // false, prior: false} of generate::ChoiceForm.
  [[nodiscard]] static Result<std::unique_ptr<DecideJob>> begin(
      std::shared_ptr<generate::Generator> generator, std::string_view options);

  [[nodiscard]] Result<std::string> step() override;
  [[nodiscard]] const generate::ChoiceScores& work() const { return *work_; }

 private:
  explicit DecideJob(std::unique_ptr<generate::ChoiceScores> work) : work_(std::move(work)) {}

  std::unique_ptr<generate::ChoiceScores> work_;
};

}  // namespace ambry::api
