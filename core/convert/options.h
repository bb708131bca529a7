// What a conversion is to make of its source.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "convert/quantize/quantize_options.h"
#include "model/model.h"
#include "tensor/dtype.h"

namespace ambry::convert {

// What the weight matrices may be stored as, where the target's format can. Int8 is per row with
// scales beside it, and EMBD's; other formats reach it by quantising.
inline constexpr std::array kTargetDTypes = {tensor::DType::F32, tensor::DType::F16,
                                             tensor::DType::BF16, tensor::DType::Int8};

// Which words of word vectors are wanted, in the order in which they come out.
struct WordSelection {
  std::vector<std::string> words;
  bool ignore_unknown = false;  // instead of failing: words that get no vector are left out
};

struct Options {
  // Registry id of the target's format; may be empty to quantise a file in its own.
  std::string to = "embd";
  // What the source is: a registry id or an origin's (origins.h); empty: what its bytes say.
  std::string from;
  std::string arch;                    // of the model, where the source does not state it
  std::optional<tensor::DType> dtype;  // of kTargetDTypes; absent: as in the source
  // What the target cannot hold is left out with a warning, instead of an error.
  bool lossy = false;
  // Word vectors: the rows times their norms, as they were before they got length 1.
  bool unnormalize = false;
  std::optional<QuantizeOptions> quantize;
  // Word vectors of finalfusion, one of these at most: dense ones of quantized ones; n-grams that
  // hash into buckets stored one by one; some words only.
  bool reconstruct = false;
  bool explicit_ngrams = false;
  std::optional<WordSelection> select;
  // Metadata that replaces or extends what the source says; "created_at" is the caller's to give,
  // because the core has no clock and equal input must give equal bytes.
  std::vector<std::pair<std::string, std::string>> metadata;
  // finalfusion: what the target says of itself, as TOML, instead of what the source says.
  std::optional<std::string> metadata_toml;
  // For sources that do not say it (EMBD F1 with square matrices); overrides the reader's guess.
  std::optional<model::LinearLayout> linear_layout;
};

}  // namespace ambry::convert
