#include "formats/huggingface/template_json.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "model/metadata_value.h"

namespace ambry::formats::huggingface {
namespace {

using io::Json;

bool is_template(const Json& part) {
  return model::metadata_text(part, "type") == "TemplateProcessing";
}

// The TemplateProcessing, alone or in a sequence. nullptr when there is none.
const Json* template_of(const Json& root) {
  const Json* post = root.find("post_processor");
  if (post == nullptr || is_template(*post)) return post;
  const Json* list = post->find("processors");
  if (list == nullptr || !list->is_array()) return nullptr;
  const auto found = std::ranges::find_if(list->items(), is_template);
  return found == list->items().end() ? nullptr : &*found;
}

// The id for `{"SpecialToken": {"id": "<s>", …}}` in the template's list. Returns nothing when it
// has none.
std::optional<uint32_t> template_id(const Json& post, const Json& special) {
  const auto name = model::metadata_text(special, "id");
  const Json* tokens = post.find("special_tokens");
  const Json* token = name && tokens != nullptr ? tokens->find(*name) : nullptr;
  const Json* ids = token != nullptr ? token->find("ids") : nullptr;
  if (ids == nullptr || !ids->is_array() || ids->items().size() != 1) return std::nullopt;
  const Json& id = ids->items()[0];
  if (!id.is_uint() || id.uint() >= UINT32_MAX) return std::nullopt;
  return static_cast<uint32_t>(id.uint());
}

}  // namespace

void read_template(const Json& root, DecoderTokenizer& made) {
  const Json* post = template_of(root);
  const Json* single = post != nullptr ? post->find("single") : nullptr;
  if (single == nullptr || !single->is_array() || single->items().empty()) return;
  const auto read = [&](const Json& item, const char* flag, std::optional<uint32_t>& id) {
    const Json* special = item.find("SpecialToken");
    made.options.set(flag, special != nullptr);
    const auto stated = special != nullptr ? template_id(*post, *special) : std::nullopt;
    if (stated) id = stated;
  };
  read(single->items().front(), "add_bos", made.tokenizer.bos_id);
  read(single->items().back(), "add_eos", made.tokenizer.eos_id);
}

}  // namespace ambry::formats::huggingface
