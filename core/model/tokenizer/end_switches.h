// The ends of texts where a post-processor and a model's settings both say something of them.
#pragma once

#include <cstdint>
#include <optional>

#include "model/tokenizer/post_processor.h"

namespace ambry::model {

// Which ends a model's settings ask for, and the tokens that they name. Nothing: not stated.
struct StatedEnds {
  std::optional<bool> add_bos;
  std::optional<bool> add_eos;
  std::optional<uint32_t> bos_id;
  std::optional<uint32_t> eos_id;
};

// `post` with these ends, which pairs then have around each text (as in Hugging Face's Llama). An
// end that `post` has already keeps its own id. A template with several tokens on one side stays as
// it is. Nothing when a wanted token has no id.
[[nodiscard]] std::optional<PostProcessor> with_ends(const PostProcessor& post,
                                                     const StatedEnds& stated);

}  // namespace ambry::model
