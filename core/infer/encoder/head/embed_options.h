// How texts become vectors, for sentence encoders and for decoders.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "infer/encoder/head/pooling.h"

namespace ambry::infer {

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
  Pooling pooling = Pooling::Mean;
  bool normalize = true;
  bool refuse_long = false;  // texts that are too long are an error
  uint32_t dim = 0;          // the first values of each vector that stay
  std::string prompt;        // the text to put before each text
};

}  // namespace ambry::infer
