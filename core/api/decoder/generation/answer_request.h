// The answers that a generation is asked for: n to one prompt, or to each of several.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "api/decoder/generation/generate_options.h"
#include "base/result.h"
#include "generate/run/generator.h"
#include "io/json/json.h"

namespace ambry::api {

struct AnswerRequest {
  std::shared_ptr<const std::vector<uint32_t>> prompt;
  uint64_t seed = 0;
};

// The `prompts` of `json`, each {ids} or {text, special: true} with a `seed` of its own if that is
// given, or else the prompt of prompt_ids(). Further answers to a prompt have the seeds after it.
//
// Errors of prompt_ids(), with `prompts[i]` in place of `prompt` where there is a list. BadValue at
// `prompts` for an empty one. LimitExceeded at `prompt` or `prompts[i]` for one that leaves no room
// for an answer, and at `prompts` for more than 10,000 answers.
[[nodiscard]] Result<std::vector<AnswerRequest>> read_requests(const generate::Generator& runtime,
                                                               std::string_view text,
                                                               const io::Json& json,
                                                               const GenerateOptions& options);

// How many tokens all the prompts begin with, less than the length of each of them.
[[nodiscard]] size_t common_prefix(const std::vector<AnswerRequest>& requests);

}  // namespace ambry::api
