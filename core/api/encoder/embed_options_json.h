// The options of a call that embeds texts as JSON, for sentence encoders and for decoders.
#pragma once

#include <array>
#include <string_view>

#include "base/result.h"
#include "infer/encoder/head/embed_options.h"
#include "io/json/json.h"

namespace ambry::api {

// The options that say what stands before a text. A call has at most one of them.
inline constexpr std::array<const char*, 3> kPromptOptions = {"prompt", "promptName",
                                                              "instruction"};

// Reads JSON {pooling, normalize, truncate, prompt, promptName, instruction, dim}, all optional.
// `prompt` is a text or the name of a prompt, `promptName` only a name, and `instruction` takes the
// place of the task in the model's prompts of the form "Instruct: … Query:". BadValue with the path
// `options.…` for other values; NotFound at `options.promptName` for an unknown name, and
// Unsupported at `options.instruction` for a model without such a prompt.
[[nodiscard]] Result<infer::EmbedOptions> read_embed_options(const infer::EmbedDefaults& defaults,
                                                             std::string_view text);
// For a call with more options than these, which has parsed them.
[[nodiscard]] Result<infer::EmbedOptions> read_embed_options(const infer::EmbedDefaults& defaults,
                                                             const io::Json& json);

// Whether texts that are too long are an error: the option `truncate`, `end` or `error`. BadValue
// with the path `options.truncate` for other values.
[[nodiscard]] Result<bool> read_truncate(const io::Json& options);

}  // namespace ambry::api
