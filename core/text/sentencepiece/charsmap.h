// SentencePiece's precompiled_charsmap: which strings are replaced by which before a text is cut
// into pieces (core/text/README.md#charsmap). u32 size of the trie, the trie as a double array of
// u32 (the Darts-clone layout), then the replacements, each ending with a NUL. Checked as a whole
// when it is made, so that looking up needs no more care than any text does.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"

namespace ambry::text {

class Charsmap {
 public:
  struct Match {
    size_t n_bytes = 0;
    std::string_view replacement;  // valid UTF-8, lives as long as the map
  };

  // A map without keys.
  Charsmap() = default;
  // BadValue where the parts do not fit together, a key has no end or its replacement lies outside
  // or is not UTF-8; LimitExceeded for a trie of more than 4 MiB. No bytes make a map without keys.
  [[nodiscard]] static Result<Charsmap> create(Bytes bytes, std::string_view path);

  [[nodiscard]] bool empty() const { return units_.empty(); }
  // The longest key that starts `text`.
  [[nodiscard]] std::optional<Match> longest(std::string_view text) const;
  // The shortest one, which Hugging Face goes by.
  [[nodiscard]] std::optional<Match> shortest(std::string_view text) const;

 private:
  template <class Visit>
  void for_each_key(std::string_view text, const Visit& visit) const;
  [[nodiscard]] std::string_view replacement(uint32_t node) const;
  [[nodiscard]] Result<void> check_replacements(std::string_view path) const;
  [[nodiscard]] Result<void> check_trie(std::string_view path) const;
  [[nodiscard]] bool has_valid_leaf(uint32_t base) const;

  std::vector<uint32_t> units_;
  std::string replacements_;
};

}  // namespace ambry::text
