// The documents of each word, and how much the word weighs in them: one list for each word, all of
// them one after another in one piece of memory, as they lie in the file.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/bytes.h"
#include "base/result.h"

namespace ambry::search {

// A document that has a word.
struct Posting {
  uint32_t row;
  float weight;
};

// The word of a document that is not in the lists yet.
struct NewPosting {
  uint32_t word;
  Posting posting;
};

class PostingLists {
 public:
  explicit PostingLists(uint32_t dim) : begins_(size_t{dim} + 1) {}

  [[nodiscard]] uint32_t dim() const { return static_cast<uint32_t>(begins_.size() - 1); }
  [[nodiscard]] uint32_t size() const { return begins_.back(); }
  // Where the list of each word begins, and the end of the last.
  [[nodiscard]] std::span<const uint32_t> begins() const { return begins_; }
  // In the order of the documents.
  [[nodiscard]] std::span<const Posting> of(uint32_t word) const {
    return all().subspan(begins_[word], begins_[word + 1] - begins_[word]);
  }
  [[nodiscard]] std::span<const Posting> all() const {
    const auto* first = reinterpret_cast<const Posting*>(memory_.data() + offset_);
    return {first, size()};
  }

  // Adds the words of documents that come after all others, in their order. LimitExceeded when the
  // heap is full; nothing is added then.
  [[nodiscard]] Result<void> merge(std::span<const NewPosting> added);
  // Gives the documents new numbers, in the same order. Drops those whose number is kDropped.
  static constexpr uint32_t kDropped = UINT32_MAX;
  void renumber(std::span<const uint32_t> numbers);

  // Takes over the memory of a file that has been checked.
  void adopt(AlignedBuffer file, size_t offset, std::vector<uint32_t> begins);
  [[nodiscard]] Bytes memory() const { return memory_.bytes(); }

 private:
  AlignedBuffer memory_;
  size_t offset_ = 0;  // of the first posting in memory_
  std::vector<uint32_t> begins_;
};

}  // namespace ambry::search
