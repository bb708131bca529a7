// Runs tokens through the model, one part (decoder.h) per step, so that the caller can stop, show
// progress, or load the weights of the next part in between.
//
//   ForwardPass pass;
//   AMBRY_RETURN_IF_ERROR(pass.begin(decoder, state, ids, Logits::Last));
//   for (;;) {
//     AMBRY_TRY(const PassStep step, pass.step());
//     if (step.kind == PassStep::Kind::Done) break;
//     …                                                  // NeedsPart: see decoder.h
//   }
//   use(pass.logits());
//
// Several tokens are multiplied as a matrix, a single token as a vector; both give the same
// results. A pass object keeps its scratch memory from pass to pass.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "infer/decoder/activation_sums.h"
#include "infer/decoder/decoder.h"
#include "infer/decoder/decoder_state.h"
#include "infer/decoder/pass_scratch.h"
#include "infer/decoder/rope_table.h"

namespace ambry::infer {

// Whether to compute the logits of the last position or of each.
enum class Logits : uint8_t { Last, Each };

struct PassStep {
  enum class Kind : uint8_t {
    More,       // call step() again
    NeedsPart,  // give the weights of `part`, then call step() again
    Done,
  };
  Kind kind = Kind::More;
  size_t part = 0;  // only for NeedsPart
};

class ForwardPass {
 public:
  // Appends `ids` to the tokens in `state`. `decoder` and `state` must outlive the pass. BadValue
  // for no ids, for an id outside the vocabulary (`ids[3]`) or for a state that an abandoned pass
  // left incomplete; LimitExceeded when the context has no room, before anything has changed.
  [[nodiscard]] Result<void> begin(const Decoder& decoder, DecoderState& state,
                                   std::span<const uint32_t> ids, Logits wanted);

  // From the next pass on, adds the inputs of the layers to `sums`, which must outlive the passes.
  void observe(ActivationSums& sums) { observed_ = &sums; }

  // BadValue when a result is not finite, with the part (`layers[3].mlp`) as path; LimitExceeded
  // when the heap is full. The state is incomplete then.
  [[nodiscard]] Result<PassStep> step();

  // Steps done and total steps, for progress.
  [[nodiscard]] size_t steps_done() const;
  [[nodiscard]] size_t n_steps() const;

  // After Done: the n_vocab() logits of the i-th position that was asked for.
  [[nodiscard]] size_t n_logits() const { return n_logits_; }
  [[nodiscard]] std::span<const float> logits(size_t i = 0) const;

 private:
  [[nodiscard]] static Result<void> check_begin(const Decoder& decoder, const DecoderState& state,
                                                std::span<const uint32_t> ids);
  [[nodiscard]] bool done() const { return block_begin_ == ids_.size(); }
  [[nodiscard]] size_t block_rows() const;
  [[nodiscard]] size_t wanted_rows() const;
  [[nodiscard]] std::span<float> block_logits();
  [[nodiscard]] Result<void> begin_block();
  [[nodiscard]] Result<void> run_part();
  [[nodiscard]] Result<void> check_finite(std::span<const float> rows, size_t width) const;

  ActivationSums* observed_ = nullptr;
  const Decoder* decoder_ = nullptr;
  DecoderState* state_ = nullptr;
  std::vector<uint32_t> ids_;  // of this pass
  size_t n_logits_ = 0;
  size_t block_begin_ = 0;  // of ids_
  size_t block_end_ = 0;
  size_t part_ = 0;  // the part that step() runs next
  RopeTable rope_;
  RopeTable local_rope_;  // of local layers with a base of their own
  PassScratch scratch_;
  AlignedBuffer logits_;  // for the positions asked for, one value per row of the output matrix
};

}  // namespace ambry::infer
