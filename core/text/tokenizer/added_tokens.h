// Added tokens: strings such as [SEP] that are cut out of a text before it is normalized, or out of
// the normalized text if `normalized` is set. The leftmost match wins, then the longest.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/tokenizer/tokenizer_data.h"

namespace ambry::text {

// A list of strings to find, either all in the raw text or all in the normalized text. White space
// and word characters around a match are checked in the same text.
class AddedTokenMatcher {
 public:
  // Bytes [begin, end) are the token `id`, including the white space taken by lstrip and rstrip.
  struct Match {
    size_t begin = 0;
    size_t end = 0;
    uint32_t id = 0;
  };

  void add(const model::AddedToken& token, std::string content);
  // Call once, after the last add().
  void finish();

  [[nodiscard]] bool empty() const { return entries_.empty(); }
  // Finds all matches from the left. The strings never overlap, but the white space taken by one
  // match may include the start of the next.
  void find(std::string_view text, std::vector<Match>& matches) const;

 private:
  struct Entry {
    std::string content;
    size_t order = 0;  // in the order of add()
    uint32_t id = 0;
    bool lstrip = false;
    bool rstrip = false;
    bool single_word = false;
  };

  [[nodiscard]] const Entry* longest_at(std::string_view rest) const;

  std::vector<Entry> entries_;  // sorted by content
  std::array<bool, 256> starts_{};
};

class AddedTokens {
 public:
  // `normalized` is the content of each token after the tokenizer's normalizer. It is not needed
  // when no token uses it.
  AddedTokens(std::vector<model::AddedToken> tokens, std::vector<std::string> normalized);

  [[nodiscard]] const AddedTokenMatcher& raw() const { return raw_; }
  [[nodiscard]] const AddedTokenMatcher& normalized() const { return normalized_; }
  // What the token is in decoded text: as in Hugging Face's library, its content after the
  // normalizer if `normalized` is set. Nothing for other tokens.
  [[nodiscard]] std::optional<std::string_view> text(uint32_t id) const;
  [[nodiscard]] const model::AddedToken* find(std::string_view content) const;
  // Whether a special token has this content. A token whose text differs from it is no special one
  // when ids are decoded.
  [[nodiscard]] bool is_special(std::string_view text) const;
  // One more than the largest id; 0 when there are none.
  [[nodiscard]] size_t id_limit() const;

 private:
  struct Text {
    uint32_t id = 0;
    std::string text;
  };

  std::vector<model::AddedToken> tokens_;
  std::vector<Text> texts_;  // sorted by id
  AddedTokenMatcher raw_;
  AddedTokenMatcher normalized_;
  std::vector<std::string> special_;  // sorted
};

}  // namespace ambry::text
