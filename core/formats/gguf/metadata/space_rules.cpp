#include "formats/gguf/metadata/space_rules.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>

#include "formats/gguf/metadata/gguf_layout.h"
#include "formats/gguf/metadata/tokenizer_keys.h"
#include "io/ascii.h"
#include "model/metadata/metadata_value.h"

namespace ambry::formats::gguf {
namespace {

using Tokens = std::vector<model::AddedToken>;

constexpr std::string_view kNameKey = "general.name";

bool has_any(std::string_view name, std::initializer_list<std::string_view> parts) {
  return std::ranges::any_of(
      parts, [&](std::string_view part) { return name.find(part) != std::string_view::npos; });
}

void take_spaces_before(std::string_view content, Tokens& tokens) {
  for (model::AddedToken& token : tokens) token.lstrip |= token.content == content;
}

}  // namespace

void set_space_rules(const io::Json& metadata, Tokens& tokens) {
  const auto text = [&](std::string_view key) {
    return model::metadata_text(metadata, key).value_or("");
  };
  std::string name(text(kNameKey));
  std::ranges::transform(name, name.begin(), io::to_lower);
  if (has_any(text(kPreKey), {"jina-v2-de", "jina-v2-es", "jina-v2-code"}) ||
      has_any(text(kArchitectureKey), {"nomic-bert-moe", "jina-bert-v3"})) {
    take_spaces_before("<mask>", tokens);
  } else if (has_any(name, {"phi-3", "phi3"})) {
    for (model::AddedToken& token : tokens) {
      token.rstrip =
          token.content != "<unk>" && token.content != "<s>" && token.content != "<|endoftext|>";
    }
  } else if (has_any(name, {"modern-bert"})) {
    take_spaces_before("[MASK]", tokens);
  }
}

}  // namespace ambry::formats::gguf
