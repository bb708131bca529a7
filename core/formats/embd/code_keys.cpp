#include "formats/embd/code_keys.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "model/encoder/late_interaction.h"
#include "model/encoder/token_head.h"
#include "model/metadata/metadata_value.h"
#include "model/static_encoder/static_config.h"
#include "model/tokenizer/tokenizer_kind.h"

namespace ambry::formats::embd {
namespace {

constexpr std::array kOtherKeys = {std::string_view(model::kTokenizerKindKey),
                                   std::string_view(model::kLateInteraction),
                                   std::string_view(model::kTokenHead)};

}  // namespace

io::Json with_code_keys_first(io::Json metadata) {
  const auto architecture =
      model::metadata_text(metadata, model::kArchitectureKey).value_or("bert");
  const auto states = [&](std::string_view key) { return model::has_value(metadata, key); };
  if (architecture == "bert" && std::ranges::none_of(kOtherKeys, states)) return metadata;
  io::Json ordered = io::Json::object();
  if (const io::Json* value = metadata.find(model::kArchitectureKey)) {
    ordered.set(model::kArchitectureKey, *value);
  }
  for (const std::string_view key : kOtherKeys) {
    if (const io::Json* value = metadata.find(key)) ordered.set(key, *value);
  }
  for (const auto& [key, value] : metadata.members()) {
    if (ordered.find(key) == nullptr) ordered.append_member(key, value);
  }
  return ordered;
}

}  // namespace ambry::formats::embd
