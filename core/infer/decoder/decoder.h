// A decoder language model ready to run: its facts, and its weights as the file stores them.
//
// The matrices come in parts, in the order in which a pass uses them: 0 the embeddings, then the
// attention and the feed-forward layer of each layer, last the output. When they may not all be in
// memory (DecoderOptions::resident), whoever drives a pass gives it the part that it asks for:
//
//   AMBRY_TRY(const PassStep step, pass.step());
//   if (step.kind == PassStep::Kind::NeedsPart) {
//     decoder.make_room(step.part);
//     for (const size_t tensor : decoder.missing_tensors(step.part)) {
//       AMBRY_CHECK(decoder.put_tensor(tensor, read(model.tensors[tensor])));
//     }
//   }
//
// The part that will be missing next is known beforehand (next_missing), so that it can be read
// while the present one runs. Norms and biases are few and always there.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "infer/decoder/decoder_options.h"
#include "infer/decoder/decoder_weights.h"
#include "infer/decoder/weight_plan.h"
#include "model/decoder/decoder_config.h"

namespace ambry::infer {

class Decoder {
 public:
  [[nodiscard]] const model::DecoderConfig& config() const { return plan_.config; }
  [[nodiscard]] KvType kv() const { return options_.kv; }
  // Tokens that a sequence may have.
  [[nodiscard]] uint64_t context() const { return options_.context; }
  // Logits of a position.
  [[nodiscard]] uint32_t n_vocab() const { return plan_.n_vocab; }
  // Ids from this one on are rows without a token, never to be sampled; at most n_vocab().
  [[nodiscard]] uint32_t n_tokens() const { return plan_.n_tokens; }
  // Heap bytes of the weights that are held now.
  [[nodiscard]] uint64_t weight_bytes() const { return held_bytes_; }

  // Whether some part must be read again for every pass.
  [[nodiscard]] bool is_streamed() const { return plan_.total_bytes > budget_; }
  // About how many bytes are read for every pass, however many tokens it has; 0 unless streamed.
  // For an estimate of the speed beforehand.
  [[nodiscard]] uint64_t streamed_bytes() const;
  [[nodiscard]] size_t n_parts() const { return plan_.parts.size(); }
  // Of Model::tensors, those that `part` needs and that are not held.
  [[nodiscard]] std::vector<size_t> missing_tensors(size_t part) const;
  [[nodiscard]] bool is_ready(size_t part) const;
  // The first part after `part`, in the order of passes, that is not held; nothing when all are.
  [[nodiscard]] std::optional<size_t> next_missing(size_t part) const;
  // Drops matrices of other parts, those first that are needed last, until `part` has room.
  void make_room(size_t part);
  // The stored bytes of one tensor of the model. Mismatch for another size, LimitExceeded when it
  // does not fit what may be in memory, BadValue for numbers that cannot be.
  [[nodiscard]] Result<void> put_tensor(size_t tensor_index, AlignedBuffer bytes);

  // Scratch that any product of the weights so far wants, in floats.
  [[nodiscard]] size_t product_floats() const { return product_floats_; }
  // Of ALiBi, one a head; empty without it.
  [[nodiscard]] const std::vector<float>& slopes() const { return slopes_; }
  [[nodiscard]] const DecoderWeights& weights() const { return weights_; }

 private:
  friend class DecoderBuilder;
  Decoder(WeightPlan plan, const DecoderOptions& options);

  [[nodiscard]] Result<void> put_matrix(const PlannedTensor& tensor, AlignedBuffer bytes);
  [[nodiscard]] Result<void> put_vector(const PlannedTensor& tensor, const AlignedBuffer& bytes);
  void drop(size_t planned);

  WeightPlan plan_;
  DecoderOptions options_;
  uint64_t budget_;
  std::vector<float> slopes_;
  DecoderWeights weights_;
  std::vector<bool> held_;  // by place in the plan
  uint64_t held_bytes_ = 0;
  size_t product_floats_ = 0;
};

}  // namespace ambry::infer
