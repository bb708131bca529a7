// From token vectors to one sentence vector, as sentence-transformers defines its pooling modes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace ambry::infer {

enum class Pooling : uint8_t { Mean, Cls, Max, MeanSqrtLen, LastToken, None };

// mean | cls | max | mean_sqrt_len | lasttoken | none; nothing for any other name.
[[nodiscard]] std::optional<Pooling> pooling_by_name(std::string_view name);

// Pools the rows of one text: `hidden` holds rows of out.size() numbers. The first `n_prompt` rows
// (of a prompt that is not to be included, with the [CLS] before it) take no part, except that Cls
// is always row 0. Not for None, which keeps the rows.
void pool(Pooling pooling, std::span<const float> hidden, size_t n_prompt, std::span<float> out);

// x / max(|x|, 1e-12), in place. To cut a vector to its first dimensions (Matryoshka), normalise
// only those.
void normalize(std::span<float> vector);

}  // namespace ambry::infer
