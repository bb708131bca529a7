#include "formats/embd/code_keys.h"

#include <string_view>

#include "model/encoder/late_interaction.h"
#include "model/metadata/metadata_value.h"
#include "model/static_encoder/static_config.h"
#include "model/tokenizer/tokenizer_kind.h"

namespace ambry::formats::embd {

io::Json with_code_keys_first(io::Json metadata) {
  const auto architecture =
      model::metadata_text(metadata, model::kArchitectureKey).value_or("bert");
  if (architecture == "bert" && !model::has_value(metadata, model::kTokenizerKindKey) &&
      !model::has_value(metadata, model::kLateInteraction)) {
    return metadata;
  }
  io::Json ordered = io::Json::object();
  for (const std::string_view key :
       {std::string_view(model::kArchitectureKey), std::string_view(model::kTokenizerKindKey),
        std::string_view(model::kLateInteraction)}) {
    if (const io::Json* value = metadata.find(key)) ordered.set(key, *value);
  }
  for (const auto& [key, value] : metadata.members()) {
    if (ordered.find(key) == nullptr) ordered.append_member(key, value);
  }
  return ordered;
}

}  // namespace ambry::formats::embd
