// Finds a text in a vocabulary. The ids are distributed into buckets by the hash of their text;
// most buckets hold one id or none. A bucket is sorted by hash, then by text. The index takes 12 to
// 16 bytes a token, and four more while it is built. A lookup compares hashes, which lie together
// in memory. Texts made to collide cost a binary search, not a scan of all of them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "model/vocabulary/vocabulary.h"

namespace ambry::model {

class VocabularyIndex {
 public:
  VocabularyIndex() = default;
  explicit VocabularyIndex(const Vocabulary& tokens);

  // The smallest id with this text. `tokens` must be the vocabulary that the index was made of.
  [[nodiscard]] std::optional<uint32_t> find(const Vocabulary& tokens, std::string_view text) const;

  // The ids of each bucket, sorted by hash, text and id. Equal texts are therefore neighbours.
  [[nodiscard]] size_t n_buckets() const { return starts_.empty() ? 0 : starts_.size() - 1; }
  [[nodiscard]] std::span<const uint32_t> bucket(size_t i) const {
    return std::span(ids_).subspan(starts_[i], starts_[i + 1] - starts_[i]);
  }

 private:
  [[nodiscard]] bool comes_before(const Vocabulary& tokens, size_t a, size_t b) const;
  void sort_bucket(const Vocabulary& tokens, size_t begin, size_t end);

  std::vector<uint32_t> starts_;  // starts of the buckets (a power of two of them), and the end
  std::vector<uint32_t> ids_;
  std::vector<uint32_t> hashes_;  // the hash for each of ids_
};

}  // namespace ambry::model
