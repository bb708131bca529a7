// Decides which tokens end an answer: those that the files state, and those known by their text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "model/tokenizer/tokenizer_data.h"

namespace ambry::model {

// The most ids that a file may state as ends. More are no list of ends.
inline constexpr size_t kMaxStatedEnds = 1024;

// Whether tokens with this text end an answer in every model that has them, such as `<|im_end|>`.
// The texts are those of llama.cpp (src/llama-vocab.cpp).
[[nodiscard]] bool is_end_text(std::string_view text);

// Whether a token with one of these texts is a control token although the file gives it the type of
// an ordinary one, as some converters do. Not so `</s>`, which is a word of code in the vocabulary
// of Qwen.
[[nodiscard]] bool is_end_of_any_type(std::string_view text);

// The ids that the file states as ends. The first is the one that `add_eos` adds.
[[nodiscard]] std::vector<uint32_t> stated_ends(const TokenizerData& data);

// The tokens that end an answer by their text and are not part of ordinary texts. `added` replaces
// the added tokens of `data`.
[[nodiscard]] std::vector<uint32_t> ends_by_text(const TokenizerData& data,
                                                 const std::vector<AddedToken>& added);

// All ids that end an answer: the stated ones, then those known by their text.
[[nodiscard]] std::vector<uint32_t> end_ids(const TokenizerData& data,
                                            const std::vector<AddedToken>& added);
[[nodiscard]] std::vector<uint32_t> end_ids(const TokenizerData& data);

// Makes `ids` the stated ends, each once, after the one that `add_eos` adds.
void set_stated_ends(const std::vector<uint32_t>& ids, TokenizerData& data);

}  // namespace ambry::model
