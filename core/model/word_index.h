// Finds a text in a vocabulary. The ids are dealt into buckets by the hash of their text, of which
// most hold one or none, and a bucket is in order of its texts: 8 to 12 bytes a token, and texts
// made to meet in one bucket cost a binary search, not a walk past them all.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "model/vocabulary.h"

namespace ambry::model {

class WordIndex {
 public:
  WordIndex() = default;
  explicit WordIndex(const Vocabulary& tokens);

  // The least id that has this text. `tokens` is what the index was made of.
  [[nodiscard]] std::optional<uint32_t> find(const Vocabulary& tokens, std::string_view text) const;

  // Of each bucket the ids, by text and then by id; equal texts share a bucket.
  [[nodiscard]] size_t n_buckets() const { return starts_.empty() ? 0 : starts_.size() - 1; }
  [[nodiscard]] std::span<const uint32_t> bucket(size_t i) const {
    return std::span(ids_).subspan(starts_[i], starts_[i + 1] - starts_[i]);
  }

 private:
  std::vector<uint32_t> starts_;  // of the buckets, a power of two of them, and the end
  std::vector<uint32_t> ids_;
};

}  // namespace ambry::model
