// The regular expressions with which byte-level BPE cuts texts into words, by hand
// (core/text/README.md#word-cutting). Every one of them covers its text without gaps.
#pragma once

#include <cstddef>
#include <string_view>

namespace ambry::text {

// The end of the word that starts at `begin`, which is below the text's size. The text is valid
// UTF-8; what is cut off by its end counts as its end.
using WordCutter = size_t (*)(std::string_view text, size_t begin);

[[nodiscard]] size_t cut_gpt2(std::string_view text, size_t begin);
[[nodiscard]] size_t cut_llama3(std::string_view text, size_t begin);  // cl100k as well
[[nodiscard]] size_t cut_qwen2(std::string_view text, size_t begin);   // one digit a word
// Punctuation in runs or each by itself, and what lies between.
[[nodiscard]] size_t cut_punctuation_runs(std::string_view text, size_t begin);
[[nodiscard]] size_t cut_punctuation(std::string_view text, size_t begin);
// Digits in runs or each by itself, and what lies between.
[[nodiscard]] size_t cut_digit_runs(std::string_view text, size_t begin);
[[nodiscard]] size_t cut_digits(std::string_view text, size_t begin);
// Digits in runs and what lies between, of bytes spelled in GPT-2's alphabet: 0xB2 is a digit,
// since it is spelled U+00B2.
[[nodiscard]] size_t cut_spelled_digits(std::string_view bytes, size_t begin);
// [0-9][0-9][0-9], and what lies between.
[[nodiscard]] size_t cut_three_digits(std::string_view text, size_t begin);

}  // namespace ambry::text
