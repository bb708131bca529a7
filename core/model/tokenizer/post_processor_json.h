// Reads and writes the post-processor of a tokenizer.json.
#pragma once

#include <string_view>

#include "base/result.h"
#include "io/json/json.h"
#include "model/tokenizer/post_processor.h"

namespace ambry::model {

// Reads TemplateProcessing, BertProcessing, RobertaProcessing, ByteLevel (which changes no ids), a
// Sequence with at most one that adds tokens, and none. The ids are the post-processor's own, even
// where the vocabulary has another id for the token. A template without `pair` takes no pairs.
// Unsupported, with the name, for any other; BadValue for a damaged one; LimitExceeded for more
// than 1024 special tokens. `file` starts the paths of errors.
[[nodiscard]] Result<PostProcessor> read_post_processor(const io::Json& root,
                                                        std::string_view file = "tokenizer.json");

// As a TemplateProcessing, which read_post_processor() reads back. Special tokens are named by
// their ids.
[[nodiscard]] io::Json post_processor_json(const PostProcessor& post);

}  // namespace ambry::model
