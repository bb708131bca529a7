// Tokens through the model, one part (decoder.h) a step, so that whoever drives it can stop, show
// progress, or bring the weights of the next part in between.
//
//   ForwardPass pass;
//   AMBRY_CHECK(pass.begin(decoder, state, ids, Logits::Last));
//   for (;;) {
//     AMBRY_TRY(const PassStep step, pass.step());
//     if (step.kind == PassStep::Kind::Done) break;
//     …                                                  // NeedsPart: see decoder.h
//   }
//   use(pass.logits());
//
// Several tokens pass as matrix products, one as products of a matrix and a vector; both give the
// same numbers. A pass object keeps its working memory from pass to pass.
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

// Of the last position, or of each.
enum class Logits : uint8_t { Last, Each };

struct PassStep {
  enum class Kind : uint8_t {
    More,       // call step() again
    NeedsPart,  // give the weights of `part`, then call step() again
    Done,
  };
  Kind kind = Kind::More;
  size_t part = 0;  // of NeedsPart
};

class ForwardPass {
 public:
  // Puts `ids` after the tokens in `state`. `decoder` and `state` must outlive the pass. BadValue
  // for no ids, for an id outside the vocabulary (`ids[3]`) or a state that an abandoned pass left
  // incomplete; LimitExceeded when the context has no room, before anything has changed.
  [[nodiscard]] Result<void> begin(const Decoder& decoder, DecoderState& state,
                                   std::span<const uint32_t> ids, Logits wanted);

  // Adds what the layers of later passes are given to `sums`, which must outlive them.
  void observe(ActivationSums& sums) { observed_ = &sums; }

  // BadValue where a number is not finite, with the part (`layers[3].mlp`) as path; LimitExceeded
  // when the heap is full. The state is then incomplete.
  [[nodiscard]] Result<PassStep> step();

  // Steps done and steps in all, for progress.
  [[nodiscard]] size_t steps_done() const;
  [[nodiscard]] size_t n_steps() const;

  // After Done: n_vocab() numbers for the i-th position that was asked for.
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
  std::vector<uint32_t> ids_;  // that this pass runs
  size_t n_logits_ = 0;
  size_t block_begin_ = 0;  // of ids_
  size_t block_end_ = 0;
  size_t part_ = 0;  // that step() runs next
  RopeTable rope_;
  PassScratch scratch_;
  AlignedBuffer logits_;  // of the positions asked for, a number for each row of the output
};

}  // namespace ambry::infer
