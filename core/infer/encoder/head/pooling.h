// Pools token vectors to one sentence vector, by the pooling modes of sentence-transformers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace ambry::infer {

enum class Pooling : uint8_t { Mean, Cls, Max, MeanSqrtLen, LastToken, None };

// mean | cls | max | mean_sqrt_len | lasttoken | none. Nothing for any other name.
[[nodiscard]] std::optional<Pooling> pooling_by_name(std::string_view name);

// Pools the rows of one text: `hidden` holds rows of out.size() values. The first `n_prompt` rows
// are left out: a prompt that is not to be included, with the [CLS] before it. Cls always takes row
// 0. Not for None, which keeps the rows.
void pool(Pooling pooling, std::span<const float> hidden, size_t n_prompt, std::span<float> out);

// x / max(|x|, 1e-12), in place. To cut a vector to its first dimensions (Matryoshka), normalize
// only those.
void normalize(std::span<float> vector);

}  // namespace ambry::infer
