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
// results. The tokens may belong to several sequences: products take the rows of all of them, and
// attention each sequence alone, so a sequence has the same results as in a pass of its own. A pass
// object keeps its scratch memory from pass to pass.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/result.h"
#include "infer/decoder/attention/rope_table.h"
#include "infer/decoder/decoder_state.h"
#include "infer/decoder/device/device_block.h"
#include "infer/decoder/experts/expert_choice.h"
#include "infer/decoder/steps/activation_sums.h"
#include "infer/decoder/steps/pass_block.h"
#include "infer/decoder/steps/pass_scratch.h"
#include "infer/decoder/weights/decoder.h"

namespace ambry::infer {

// What to compute of which positions: nothing, logits, or the hidden state after the last norm,
// which embeddings are made of.
enum class Logits : uint8_t { None, Last, Each, HiddenOfLast, HiddenOfEach };

// The tokens that a pass appends to a sequence. All sequences of a pass want hidden states, or
// none.
struct SequenceRows {
  DecoderState* state = nullptr;
  std::span<const uint32_t> ids;
  Logits wanted = Logits::Last;
};

struct PassStep {
  enum class Kind : uint8_t {
    More,       // call step() again
    NeedsPart,  // give the weights of `part`, then call step() again
    Done,
  };
  Kind kind = Kind::More;
  size_t part = 0;  // only for NeedsPart

  // In place of a part: a device has to answer Decoder::waiting().
  static constexpr size_t kDevicePart = UINT32_MAX;
};

class ForwardPass {
 public:
  // Appends `ids` to the tokens in `state`. `decoder` and `state` must outlive the pass. BadValue
  // for no ids, for an id outside the vocabulary (`ids[3]`) or for a state that an abandoned pass
  // left incomplete; LimitExceeded when the context has no room, before anything has changed.
  // Unsupported for logits of a model that only makes embeddings. A model whose tokens see later
  // ones takes a whole sequence at once: `state` must be empty.
  [[nodiscard]] Result<void> begin(const Decoder& decoder, DecoderState& state,
                                   std::span<const uint32_t> ids, Logits wanted) {
    const SequenceRows rows{&state, ids, wanted};
    return begin(decoder, {&rows, 1});
  }
  // Begins a pass over several sequences, which must differ. The errors are those above, and the
  // rows of logits follow one another.
  [[nodiscard]] Result<void> begin(const Decoder& decoder, std::span<const SequenceRows> sequences);

  // From the next pass on, runs only the first `n_layers` layers, at least one, for hidden states
  // of them. A state that such a pass has changed fits passes of as many layers only.
  void stop_after(uint32_t n_layers) { stop_after_ = n_layers; }

  // From the next pass on, adds the inputs of the layers to `sums`, which must outlive the passes.
  void observe(ActivationSums& sums) { observed_ = &sums; }

  // BadValue when a result is not finite, with the part (`layers[3].mlp`) as path; LimitExceeded
  // when the heap is full. The state is incomplete then.
  [[nodiscard]] Result<PassStep> step();

  // Steps done and total steps, for progress.
  [[nodiscard]] size_t steps_done() const { return steps_done_; }
  [[nodiscard]] size_t n_steps() const { return n_steps_; }

  // After Done: the n_vocab() logits of the i-th position that was asked for.
  [[nodiscard]] size_t n_logits() const { return n_logits_; }
  [[nodiscard]] std::span<const float> logits(size_t i = 0) const;
  // After Done: all hidden states that were asked for, n_embd values each.
  [[nodiscard]] std::span<const float> hidden() const;
  // What the last part has left for each token of the block.
  [[nodiscard]] const PassScratch& scratch() const { return scratch_; }
  // The cosines and sines of its tokens.
  [[nodiscard]] const RopeTable& rope() const { return rope_; }
  [[nodiscard]] const RopeTable& local_rope() const { return local_rope_; }
  // After Done: all rows of logits or hidden states, as wide as the matrices.
  [[nodiscard]] std::span<const float> results() const { return logits_.as<float>(); }

 private:
  struct Sequence {
    DecoderState* state;
    size_t begin;  // of its rows in ids_
    size_t end;
    size_t n_logits;  // of its last rows
    uint64_t length;  // with these rows
  };

  [[nodiscard]] static Result<void> check_begin(const Decoder& decoder, const DecoderState& state,
                                                std::span<const uint32_t> ids, bool hidden);
  [[nodiscard]] bool done() const { return block_begin_ == ids_.size(); }
  [[nodiscard]] uint32_t n_layers() const;
  void add(const SequenceRows& rows);
  void set_frequencies(uint64_t length);
  [[nodiscard]] size_t block_rows() const;
  [[nodiscard]] size_t count_steps() const;
  [[nodiscard]] size_t row_width() const;
  [[nodiscard]] std::span<float> block_logits();
  [[nodiscard]] Result<void> begin_block();
  [[nodiscard]] Result<void> begin_piece(const Sequence& of, size_t first, size_t last);
  void end_block();
  [[nodiscard]] Result<PassStep> next_block();
  [[nodiscard]] std::shared_ptr<DeviceBlock> device_block() const;
  [[nodiscard]] Result<PassStep> device_step();
  [[nodiscard]] Result<void> restart();
  template <class Use>
  void for_pieces(const Use& use) const;
  [[nodiscard]] uint64_t position_of(size_t row) const;
  [[nodiscard]] Result<void> run_part();
  [[nodiscard]] size_t needed_part() const;
  template <class Steps>
  [[nodiscard]] bool run_experts(const Steps& steps, uint32_t layer);
  [[nodiscard]] Result<void> check_finite(std::span<const float> rows, size_t width) const;

  uint32_t stop_after_ = 0;  // 0: all layers
  ActivationSums* observed_ = nullptr;
  const Decoder* decoder_ = nullptr;
  std::vector<uint32_t> ids_;  // of this pass, sequence by sequence
  std::vector<Sequence> sequences_;
  size_t n_logits_ = 0;     // rows of logits or hidden states
  bool hidden_ = false;     // whether they are hidden states
  size_t logits_done_ = 0;  // of the blocks before this one
  size_t steps_done_ = 0;
  size_t n_steps_ = 0;
  size_t block_begin_ = 0;  // of ids_
  size_t block_end_ = 0;
  std::vector<PassPiece> pieces_;              // of this block
  std::vector<size_t> wanted_;                 // the rows of this block whose logits are asked for
  std::shared_ptr<DeviceBlock> device_block_;  // this block, while a device computes it
  size_t part_ = 0;                            // the part that step() runs next
  ExpertChoice experts_;                       // of the layer that step() is in
  RopeTable rope_;
  RopeTable local_rope_;  // of local layers with a base of their own
  PassScratch scratch_;
  AlignedBuffer logits_;  // for the positions asked for, one value per row of the output matrix
};

}  // namespace ambry::infer
