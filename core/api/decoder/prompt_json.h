// Prompts as JSON.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "generate/answer/answer_request.h"
#include "generate/run/generator.h"
#include "generate/run/prompt.h"
#include "io/json/json.h"

namespace ambry::api {

// The `ids` of `json`, else `text`, with special tokens around it unless `json` has `special:
// false`. BadValue with the path `<path>[i]` for an id outside the vocabulary. The prompt refers to
// `text`.
[[nodiscard]] Result<generate::Prompt> read_prompt(const io::Json& json, std::string_view text,
                                                   const generate::Generator& generator,
                                                   std::string_view path = "prompt");

// A list of {text | ids, special, seed}. The prompts refer to `list`. BadValue with the path
// `prompts[i]` for what is no prompt.
[[nodiscard]] Result<std::vector<generate::ListedPrompt>> read_prompts(
    const io::Json& list, const generate::Generator& generator);

}  // namespace ambry::api
