#include "search/sparse/posting_lists.h"

#include <algorithm>
#include <utility>

namespace ambry::search {

Result<void> PostingLists::merge(std::span<const NewPosting> added) {
  AMBRY_TRY(AlignedBuffer memory,
            AlignedBuffer::allocate((uint64_t{size()} + added.size()) * sizeof(Posting)));
  auto* const to = reinterpret_cast<Posting*>(memory.data());
  // Where each list ends: counted first, then summed up.
  std::vector<uint32_t> ends(begins_.size());
  for (const NewPosting& one : added) ++ends[one.word];
  std::vector<uint32_t> begins(begins_.size());
  for (uint32_t word = 0; word < dim(); ++word) {
    const std::span<const Posting> list = of(word);
    std::ranges::copy(list, to + begins[word]);
    begins[word + 1] = begins[word] + static_cast<uint32_t>(list.size()) + ends[word];
    ends[word] = begins[word] + static_cast<uint32_t>(list.size());
  }
  for (const auto& [word, posting] : added) to[ends[word]++] = posting;
  adopt(std::move(memory), 0, std::move(begins));
  return {};
}

void PostingLists::renumber(std::span<const uint32_t> numbers) {
  auto* const postings = reinterpret_cast<Posting*>(memory_.data() + offset_);
  uint32_t from = 0;
  uint32_t to = 0;
  for (uint32_t word = 0; word < dim(); ++word) {
    for (const uint32_t end = begins_[word + 1]; from < end; ++from) {
      const auto [row, weight] = postings[from];
      if (numbers[row] != kDropped) postings[to++] = {numbers[row], weight};
    }
    begins_[word + 1] = to;
  }
}

void PostingLists::adopt(AlignedBuffer file, size_t offset, std::vector<uint32_t> begins) {
  memory_ = std::move(file);
  offset_ = offset;
  begins_ = std::move(begins);
}

}  // namespace ambry::search
