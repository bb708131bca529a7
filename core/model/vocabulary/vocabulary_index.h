// Finds a text in a vocabulary. The ids are dealt into buckets by the hash of their text, of which
// most hold one or none, and a bucket is in order of hashes and then of texts: 12 to 16 bytes a
// token, four more while it is made. Other texts are told by their hashes, which lie together, and
// texts made to meet cost a binary search, not a walk past them all.
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

  // The least id that has this text. `tokens` is what the index was made of.
  [[nodiscard]] std::optional<uint32_t> find(const Vocabulary& tokens, std::string_view text) const;

  // Of each bucket the ids, by hash, by text and then by id; equal texts so are neighbours.
  [[nodiscard]] size_t n_buckets() const { return starts_.empty() ? 0 : starts_.size() - 1; }
  [[nodiscard]] std::span<const uint32_t> bucket(size_t i) const {
    return std::span(ids_).subspan(starts_[i], starts_[i + 1] - starts_[i]);
  }

 private:
  [[nodiscard]] bool comes_before(const Vocabulary& tokens, size_t a, size_t b) const;
  void sort_bucket(const Vocabulary& tokens, size_t begin, size_t end);

  std::vector<uint32_t> starts_;  // of the buckets, a power of two of them, and the end
  std::vector<uint32_t> ids_;
  std::vector<uint32_t> hashes_;  // of ids_
};

}  // namespace ambry::model
