// Gives each distinct sequence of 32-bit words a number, from 0 on in the order of arrival.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace ambry::text {

class WordInterner {
 public:
  struct Interned {
    uint32_t id = 0;
    bool is_new = false;
  };

  WordInterner() { clear(); }

  Interned intern(std::span<const uint32_t> words);
  // Valid until the next intern().
  [[nodiscard]] std::span<const uint32_t> words(uint32_t id) const {
    return std::span(words_).subspan(begins_[id], begins_[id + 1] - begins_[id]);
  }
  [[nodiscard]] uint32_t size() const { return static_cast<uint32_t>(begins_.size() - 1); }
  // Words in memory, about.
  [[nodiscard]] size_t n_words() const { return words_.size() + 3 * begins_.size(); }
  void clear();

 private:
  static constexpr uint32_t kFree = UINT32_MAX;

  void grow();

  std::vector<uint32_t> words_;
  std::vector<uint32_t> begins_;
  std::vector<uint32_t> hashes_;
  std::vector<uint32_t> slots_;  // ids; a power of two, at most half full
};

}  // namespace ambry::text
