// The options of a call that embeds texts, for sentence encoders and for decoders.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "infer/encoder/head/pooling.h"
#include "io/json/json.h"

namespace ambry::api {

// What a model says of its embeddings.
struct EmbedDefaults {
  std::string_view pooling;  // empty: the call must say it
  bool normalize = true;
  std::span<const std::pair<std::string, std::string>> prompts;  // names and texts
  std::string_view default_prompt_name;
  uint32_t sentence_size = 0;  // values of a text's vector
  uint32_t token_size = 0;     // values of a token's vector
};

struct EmbedOptions {
  infer::Pooling pooling = infer::Pooling::Mean;
  bool normalize = true;
  bool refuse_long = false;
  uint32_t dim = 0;
  std::string prompt;  // the text to put before each text

  // Reads JSON {pooling, normalize, truncate, prompt, promptName, instruction, dim}, all optional.
  // `prompt` is a text or the name of a prompt, `promptName` only a name, and `instruction` takes
  // the place of the task in the model's prompts of the form "Instruct: … Query:". BadValue with
  // the path `options.…` for other values; NotFound at `options.promptName` for an unknown name,
  // and Unsupported at `options.instruction` for a model without such a prompt.
  [[nodiscard]] static Result<EmbedOptions> read(const EmbedDefaults& defaults,
                                                 std::string_view text);
  // The same for a call with more options than these, which has parsed them.
  [[nodiscard]] static Result<EmbedOptions> read(const EmbedDefaults& defaults,
                                                 const io::Json& json);
};

// Whether texts that are too long are an error: the option `truncate`, `end` or `error`. BadValue
// with the path `options.truncate` for other values.
[[nodiscard]] Result<bool> read_truncate(const io::Json& options);

}  // namespace ambry::api
