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
[[nodiscard]] size_t split_llama3(std::string_view text, size_t begin);
// As Llama 3's, but white space up to the end of the text is one word, with its line ends.
[[nodiscard]] size_t split_cl100k(std::string_view text, size_t begin);
[[nodiscard]] size_t split_qwen2(std::string_view text, size_t begin);  // one digit is one word
// As split_qwen2, but line ends do not belong to the characters before them.
[[nodiscard]] size_t split_seed_coder(std::string_view text, size_t begin);
[[nodiscard]] size_t split_ufakzeka(std::string_view text, size_t begin);  // without contractions
// Runs of line feeds, and the text between them.
[[nodiscard]] size_t split_line_feed_runs(std::string_view text, size_t begin);
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

[[nodiscard]] size_t split_o200k(std::string_view text, size_t begin);
// As o200k, but one number is one word, and contractions are none.
[[nodiscard]] size_t split_tekken(std::string_view text, size_t begin);
// As split_qwen2, but marks are letters.
[[nodiscard]] size_t split_qwen35(std::string_view text, size_t begin);
[[nodiscard]] size_t split_bloom(std::string_view text, size_t begin);
// CLIP's words, and the white space between them, which is not encoded.
[[nodiscard]] size_t split_clip(std::string_view text, size_t begin);

// DeepSeek's steps, each an expression and the text between its matches.
[[nodiscard]] size_t split_line_ends(std::string_view text, size_t begin);           // [\r\n]
[[nodiscard]] size_t split_spaced_letters(std::string_view text, size_t begin);      // \s?\p{L}+
[[nodiscard]] size_t split_spaced_punctuation(std::string_view text, size_t begin);  // \s?\p{P}+
[[nodiscard]] size_t split_last_spaces(std::string_view text, size_t begin);         // \s+$
[[nodiscard]] size_t split_three_numbers(std::string_view text, size_t begin);       // \p{N}{1,3}
[[nodiscard]] size_t split_deepseek_letters(std::string_view text, size_t begin);
[[nodiscard]] size_t split_deepseek_punctuation(std::string_view text, size_t begin);
[[nodiscard]] size_t split_deepseek_cjk(std::string_view text, size_t begin);
[[nodiscard]] size_t split_deepseek3_cjk(std::string_view text, size_t begin);
[[nodiscard]] size_t split_deepseek3(std::string_view text, size_t begin);
// As DeepSeek V3's, but each line end is one word.
[[nodiscard]] size_t split_spark(std::string_view text, size_t begin);

// As o200k, but one number is one word.
[[nodiscard]] size_t split_youtu(std::string_view text, size_t begin);
// As split_qwen2, but words that one space divides are one, and one line end or slash belongs to
// the characters before it.
[[nodiscard]] size_t split_exaone_moe(std::string_view text, size_t begin);

// [\p{P}\$\+<=>\^~\|]+ and \p{N}+, and the text between their matches: llama.cpp's default.
[[nodiscard]] size_t split_ggml_punctuation(std::string_view text, size_t begin);
[[nodiscard]] size_t split_number_runs(std::string_view text, size_t begin);
// Digits in groups of three, counted from the right, and the text between. The first cuts before
// each group, (?=(\d{3})+(?!\d)), of a text of digits alone, the second takes only runs at the end
// of a word,
// \d{1,3}(?=(?:\d{3})*\b), and the third takes all numbers.
[[nodiscard]] size_t split_thousands(std::string_view text, size_t begin);
[[nodiscard]] size_t split_whole_thousands(std::string_view text, size_t begin);
[[nodiscard]] size_t split_number_thousands(std::string_view text, size_t begin);
// Runs of the scripts that AFMoE and Youtu list, and the text between.
[[nodiscard]] size_t split_afmoe_scripts(std::string_view text, size_t begin);
[[nodiscard]] size_t split_youtu_scripts(std::string_view text, size_t begin);

}  // namespace ambry::text
