// A vocabulary as a hash table with open addressing: 16 bytes a token, or 32 just after the table
// has doubled. The hash is computed from the left, so the search for the longest piece that starts
// a string hashes each byte once.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/vocabulary/vocabulary.h"

namespace ambry::text {

class PieceTable {
 public:
  struct Match {
    uint32_t id = 0;
    size_t n_chars = 0;
  };

  // Only the first `n_pieces` tokens can be found. A repeated string belongs to its last id. Empty
  // strings are gaps between ids.
  PieceTable(model::Vocabulary vocabulary, size_t n_pieces, std::string continuing_prefix);

  [[nodiscard]] const model::Vocabulary& vocabulary() const { return vocabulary_; }
  [[nodiscard]] std::string_view continuing_prefix() const { return prefix_; }
  [[nodiscard]] std::optional<uint32_t> find(std::string_view token) const;

  // The longest token that starts at char `first` of `word`. For first > 0, the continuing prefix
  // comes before it. `ends[i]` is the end byte of char i. `hashes` is a scratch buffer of the
  // caller.
  [[nodiscard]] std::optional<Match> longest(std::string_view word, std::span<const uint32_t> ends,
                                             size_t first, std::vector<uint32_t>& hashes) const;

 private:
  struct Slot {
    uint32_t hash = 0;
    uint32_t id = kEmpty;
  };
  static constexpr uint32_t kEmpty = UINT32_MAX;

  void insert(uint32_t id);
  [[nodiscard]] std::optional<uint32_t> find_hashed(uint32_t hash, std::string_view prefix,
                                                    std::string_view rest) const;

  model::Vocabulary vocabulary_;
  std::string prefix_;
  uint32_t prefix_hash_ = 0;
  size_t max_token_bytes_ = 0;
  std::vector<Slot> slots_;  // a power of two, at most half full
};

}  // namespace ambry::text
