// What DeBERTa's attention needs to know of distances: for each distance within the longest text
// of a batch a place among the relative embeddings, those embeddings, and in each layer the keys
// and queries that the layer makes of them. Places that no text of the batch has cost nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "infer/encoder/weights/encoder_weights.h"
#include "kernels/attention/disentangled_bias.h"

namespace ambry::infer {

class DisentangledScratch {
 public:
  // For texts of up to `length` tokens. LimitExceeded when the heap is full.
  [[nodiscard]] Result<void> cover(const EncoderWeights& weights, size_t length);

  // Rows for the places, and rows between them.
  [[nodiscard]] size_t n_places() const { return n_places_; }
  // Embeddings of the distances: n_places() x hidden.
  [[nodiscard]] const float* embeddings() const { return embeddings_.as<float>().data(); }
  // A layer's keys and queries of the distances: n_places() x inner each.
  [[nodiscard]] float* keys() { return keys_.as<float>().data(); }
  [[nodiscard]] float* queries() { return queries_.as<float>().data(); }

  [[nodiscard]] kernels::DisentangledBias bias(const EncoderWeights& weights);

 private:
  // Returns the first place. The others count from there.
  uint32_t find_places(const model::EncoderFacts& facts, size_t length);

  size_t length_ = 0;
  size_t n_places_ = 0;
  std::vector<uint32_t> places_;  // of the distances -(length - 1) … length - 1
  AlignedBuffer embeddings_;
  AlignedBuffer keys_;
  AlignedBuffer queries_;
  AlignedBuffer scores_;
};

}  // namespace ambry::infer
