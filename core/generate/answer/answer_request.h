// The answers that a generation is asked for: n to one prompt, or to each of several.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "generate/answer/generate_options.h"
#include "generate/run/generator.h"
#include "generate/run/prompt.h"

namespace ambry::generate {

// One of several prompts.
struct ListedPrompt {
  Prompt prompt;
  std::optional<uint64_t> seed = {};  // in place of the options'
};

struct AnswerRequest {
  std::shared_ptr<const std::vector<uint32_t>> prompt;
  uint64_t seed = 0;
};

// Further answers to a prompt have the seeds after its own. Errors of prompt_ids(), and
// LimitExceeded at `prompt` for one that leaves no room for an answer.
[[nodiscard]] Result<std::vector<AnswerRequest>> requests_of(const Generator& generator,
                                                             const Prompt& prompt,
                                                             const GenerateOptions& options);

// As above, with `prompts[i]` in place of `prompt`. BadValue at `prompts` for an empty list, and
// LimitExceeded for more than 10,000 answers.
[[nodiscard]] Result<std::vector<AnswerRequest>> requests_of(const Generator& generator,
                                                             std::span<const ListedPrompt> prompts,
                                                             const GenerateOptions& options);

// How many tokens all the prompts begin with, less than the length of each of them.
[[nodiscard]] size_t common_prefix(const std::vector<AnswerRequest>& requests);

}  // namespace ambry::generate
