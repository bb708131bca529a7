// What GGUF calls the tensors of each architecture, and what Hugging Face calls them: one table an
// architecture, in names.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace ambry::convert {

// Which rows of GGUF's tensor are the other one.
enum class Part : uint8_t { All, Query, Key, Value };
// Query and key rows that converters to GGUF order for rotating neighbours.
enum class Permuted : uint8_t { No, Query, Key };

// `#` stands for the number of the layer; `.weight` and `.bias` are left out.
struct GgufName {
  std::string_view gguf;
  std::string_view other;
  Part part = Part::All;
  Permuted permuted = Permuted::No;
};

struct GgufArchitecture {
  std::string_view gguf;   // `general.architecture`
  std::string_view other;  // as decoder_config.h names it
  std::span<const GgufName> names;
};

// nullptr when there is no table. Several of ours may be one of GGUF's: mistral is llama.
[[nodiscard]] const GgufArchitecture* find_gguf_architecture(std::string_view gguf);
[[nodiscard]] const GgufArchitecture* gguf_architecture_for(std::string_view other);

// A name taken apart: `blk.3.attn_q.weight` is {"blk.#.attn_q", ".weight", 3}.
struct TensorName {
  std::string pattern;
  std::string_view ending;  // with its dot; empty when it is neither a weight nor a bias
  std::optional<uint32_t> layer;
};
[[nodiscard]] TensorName take_apart(std::string_view name);
// The pattern with the layer and the ending of `name`.
[[nodiscard]] std::string put_together(std::string_view pattern, const TensorName& name);

}  // namespace ambry::convert
