// The steps of a tokenizer.json before and after a BPE model: which of them AMB's kinds can run
// (core/formats/huggingface/README.md#tokenizer-json). Anything else is Unsupported, and the error
// names the component.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "io/json/json.h"

namespace ambry::formats::huggingface {

inline constexpr std::string_view kSpaceMark = "\xE2\x96\x81";  // U+2581

// The `type` of a component; empty when there is none.
[[nodiscard]] std::string_view type_of(const io::Json* part);
[[nodiscard]] bool has_flag(const io::Json& part, std::string_view key, bool fallback);

// In AMB's names (core/formats/amb/README.md#tokenizer-options).
struct ByteLevelSteps {
  std::string pretokenizer;
  std::string normalizer = "none";
  bool add_prefix_space = false;
};

// How BPE over pieces marks spaces.
struct PieceStyle {
  bool dummy_prefix = false;
  std::optional<bool> legacy;  // a prefix for each segment, or only for the first
  bool splits = false;         // whether the model sees one word at a time
  bool by_normalizer = false;  // marks are made before added tokens are looked for
};

[[nodiscard]] bool has_byte_level(const io::Json& root);
[[nodiscard]] Result<void> check_bpe_options(const io::Json& bpe);
// The component `decoder` is looked at if `decodes` is set.
[[nodiscard]] Result<ByteLevelSteps> read_byte_level(const io::Json& root, bool decodes);
[[nodiscard]] Result<PieceStyle> read_piece_style(const io::Json& root, bool decodes);

}  // namespace ambry::formats::huggingface
