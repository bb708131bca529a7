// The regular expressions with which byte-level BPE splits texts into words, written by hand
// (core/text/README.md#word-cutting). Each covers its text without gaps.
#pragma once

#include <cstddef>
#include <string_view>

namespace ambry::text {

// Returns the end of the word that starts at `begin`, which is inside the text. The text is valid
// UTF-8.
using WordSplitter = size_t (*)(std::string_view text, size_t begin);

[[nodiscard]] size_t split_gpt2(std::string_view text, size_t begin);
[[nodiscard]] size_t split_llama3(std::string_view text, size_t begin);  // also cl100k
[[nodiscard]] size_t split_qwen2(std::string_view text, size_t begin);   // one digit is one word
// Runs of punctuation, or each punctuation character, and the text between them.
[[nodiscard]] size_t split_punctuation_runs(std::string_view text, size_t begin);
[[nodiscard]] size_t split_punctuation(std::string_view text, size_t begin);
// Runs of digits, or each digit, and the text between them.
[[nodiscard]] size_t split_digit_runs(std::string_view text, size_t begin);
[[nodiscard]] size_t split_digits(std::string_view text, size_t begin);
// Runs of digits and the text between them, for bytes spelled in GPT-2's alphabet. 0xB2 is a digit
// here, because it is spelled U+00B2.
[[nodiscard]] size_t split_spelled_digits(std::string_view bytes, size_t begin);
// [0-9][0-9][0-9], and the text between.
[[nodiscard]] size_t split_three_digits(std::string_view text, size_t begin);

}  // namespace ambry::text
