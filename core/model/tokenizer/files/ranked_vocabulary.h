// Vocabularies of byte strings with ranks and without merges: what tiktoken's files and Mistral's
// tekken.json have in common.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/tokenizer/tokenizer_data.h"
#include "model/vocabulary/vocabulary.h"

namespace ambry::model {

// The most tokens that such a file may have.
inline constexpr uint32_t kMaxRankedTokens = 1U << 20U;

struct RankedVocabulary {
  // Where a token is in its file.
  struct Place {
    uint32_t number = 0;  // a line, or an index
    uint32_t byte_offset = 0;
  };

  Vocabulary tokens;          // byte strings, in the order of their ranks
  std::vector<uint32_t> ids;  // the id of each, ascending
  std::vector<Place> places;
  std::string_view before;  // what paths of errors have around the number of a place
  std::string_view after;
};

// AMB's name of the expression by which such a file splits texts. Empty for an unknown one.
[[nodiscard]] std::string_view split_name(std::string_view regex);

// An error about the token at `index`.
[[nodiscard]] Failure ranked_error(const RankedVocabulary& ranked, size_t index,
                                   const Text& message);

// BadValue when a byte has no token, or when a token repeats.
[[nodiscard]] Result<void> check_ranked(const RankedVocabulary& ranked);

// Byte-level BPE that gives tiktoken's ids. How texts are split, and what is added around them, is
// the caller's to set. `special` are tokens besides the ranks. The errors of check_ranked(), and
// BadValue when two tokens have one id or one text.
[[nodiscard]] Result<TokenizerData> ranked_tokenizer(const RankedVocabulary& ranked,
                                                     std::vector<AddedToken> special);

}  // namespace ambry::model
