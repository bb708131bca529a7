// SentencePiece's precompiled_charsmap: the strings that are replaced before a text is split into
// pieces (core/text/README.md#charsmap). It holds the u32 size of the trie, the trie as a double
// array of u32 (the Darts-clone layout) and the replacements, each ending with a NUL. create()
// checks all of it, so lookups need no checks.
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

  // An empty map.
  Charsmap() = default;
  // BadValue when the parts do not fit together, when a key has no end, or when a replacement is
  // outside the map or not UTF-8. LimitExceeded for a trie of more than 4 MiB. No bytes give an
  // empty map.
  [[nodiscard]] static Result<Charsmap> create(Bytes bytes, std::string_view path);

  [[nodiscard]] bool empty() const { return units_.empty(); }
  // The longest key that starts `text`.
  [[nodiscard]] std::optional<Match> longest(std::string_view text) const;
  // The shortest key that starts `text`, as Hugging Face uses it.
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
