// Runs decoders as a caller does.
#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <vector>

#include "infer/decoder/decoder_builder.h"
#include "infer/decoder/decoder_pass.h"

namespace ambry::infer::testing {

// The stored bytes of a tensor, by its index in the model.
using TensorBytes = std::function<AlignedBuffer(size_t)>;

inline AlignedBuffer copy_of(Bytes bytes) {
  AlignedBuffer copy = AlignedBuffer::allocate(bytes.size()).value();
  std::ranges::copy(bytes, copy.data());
  return copy;
}

inline Result<Decoder> build(const model::Model& model, const model::DecoderConfig& config,
                             const TensorBytes& bytes, const DecoderOptions& options = {}) {
  AMBRY_TRY(DecoderBuilder builder, DecoderBuilder::plan(model, config, options));
  for (size_t i = 0; i < model.tensors.size(); ++i) {
    if (builder.wants(i)) AMBRY_RETURN_IF_ERROR(builder.accept(i, bytes(i)));
  }
  return std::move(builder).finish();
}

// A growing sequence and the logits of its last pass.
class DecoderRun {
 public:
  explicit DecoderRun(Decoder& decoder, TensorBytes bytes = {})
      : decoder_(decoder), bytes_(std::move(bytes)), state_(decoder) {}

  Result<void> feed(std::span<const uint32_t> ids, Logits wanted = Logits::Last) {
    AMBRY_RETURN_IF_ERROR(pass_.begin(decoder_, state_, ids, wanted));
    for (;;) {
      AMBRY_TRY(const PassStep step, pass_.step());
      if (step.kind == PassStep::Kind::Done) return {};
      if (step.kind == PassStep::Kind::NeedsPart) AMBRY_RETURN_IF_ERROR(load_part(step.part));
    }
  }
  [[nodiscard]] std::span<const float> logits(size_t i = 0) const { return pass_.logits(i); }
  [[nodiscard]] DecoderState& state() { return state_; }
  [[nodiscard]] ForwardPass& pass() { return pass_; }
  // The most bytes of weights in memory at a time, and all bytes that were read.
  [[nodiscard]] uint64_t most_bytes() const { return most_bytes_; }
  [[nodiscard]] uint64_t read_bytes() const { return read_bytes_; }

  // The most likely ids, one after another.
  Result<std::vector<uint32_t>> greedy(std::span<const uint32_t> prompt, size_t count) {
    AMBRY_RETURN_IF_ERROR(feed(prompt));
    std::vector<uint32_t> ids;
    for (;;) {
      const std::span<const float> row = logits().first(decoder_.n_tokens());
      ids.push_back(static_cast<uint32_t>(std::ranges::max_element(row) - row.begin()));
      if (ids.size() == count) return ids;
      AMBRY_RETURN_IF_ERROR(feed({&ids.back(), 1}));
    }
  }

 private:
  Result<void> load_part(size_t part) {
    decoder_.make_room(part);
    for (const size_t tensor : decoder_.missing_tensors(part)) {
      AlignedBuffer bytes = bytes_(tensor);
      read_bytes_ += bytes.size();
      AMBRY_RETURN_IF_ERROR(decoder_.put_tensor(tensor, std::move(bytes)));
      most_bytes_ = std::max(most_bytes_, decoder_.weight_bytes());
    }
    return {};
  }

  Decoder& decoder_;
  TensorBytes bytes_;
  DecoderState state_;
  ForwardPass pass_;
  uint64_t most_bytes_ = 0;
  uint64_t read_bytes_ = 0;
};

}  // namespace ambry::infer::testing
