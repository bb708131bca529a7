// Jobs that pass prompts and texts through a decoder, with options and reports as JSON.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "api/decoder/pass_job.h"
#include "api/decoder/progress_document.h"
#include "base/result.h"
#include "generate/run/generator.h"
#include "generate/scoring/activation_run.h"
#include "generate/scoring/prompt_logits.h"
#include "generate/scoring/text_perplexity.h"

namespace ambry::api {

template <class Work>
class PassJobOf final : public PassJob {
 public:
  explicit PassJobOf(Work work) : work_(std::move(work)) {}

  [[nodiscard]] Result<std::string> step() override {
    AMBRY_TRY(const generate::PassProgress progress, work_.step());
    return progress_document(progress).dump();
  }
  [[nodiscard]] const Work& work() const { return work_; }

 private:
  Work work_;
};

using LogitsJob = PassJobOf<generate::PromptLogits>;
using PerplexityJob = PassJobOf<generate::TextPerplexity>;
using ActivationJob = PassJobOf<generate::ActivationRun>;

// `options` is JSON of read_prompt() and {all: false}.
[[nodiscard]] Result<LogitsJob> begin_logits(std::shared_ptr<generate::Generator> generator,
                                             std::string_view text, std::string_view options);
// `options` is JSON of read_prompt() and {window, stride} of generate::PerplexityOptions.
[[nodiscard]] Result<PerplexityJob> begin_perplexity(std::shared_ptr<generate::Generator> generator,
                                                     std::string_view text,
                                                     std::string_view options);
// JSON {perplexity, crossEntropy, tokens, windows}.
[[nodiscard]] std::string perplexity_report(const generate::TextPerplexity& perplexity);
// `options` is JSON {texts, window}.
[[nodiscard]] Result<ActivationJob> begin_activations(
    const std::shared_ptr<generate::Generator>& generator, std::string_view options);

}  // namespace ambry::api
