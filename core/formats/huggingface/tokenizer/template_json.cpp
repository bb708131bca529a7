#include "formats/huggingface/tokenizer/template_json.h"

#include "model/tokenizer/post_processor_json.h"

namespace ambry::formats::huggingface {

Result<void> read_template(const io::Json& root, DecoderTokenizer& made) {
  AMBRY_TRY(model::PostProcessor post, model::read_post_processor(root));
  if (const auto ends = model::text_ends(post)) {
    made.options.set("add_bos", ends->before.has_value());
    made.options.set("add_eos", ends->after.has_value());
    if (ends->before) made.tokenizer.bos_id = ends->before;
    if (ends->after) made.tokenizer.eos_id = ends->after;
  }
  made.tokenizer.post_processor = std::move(post);
  return {};
}

}  // namespace ambry::formats::huggingface
