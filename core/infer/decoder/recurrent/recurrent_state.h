// What a layer keeps of one sequence where it keeps no keys and values: a state of fixed size,
// which each token changes. Tokens cannot be taken out of it. So an earlier state, the base, is
// kept, too, with the inputs of the at most kPassRows tokens since. From these, the state after
// each of the tokens can be computed again, with the same bits. The last bases before the ends of
// prompts are kept as checkpoints, because a conversation may go on from there in another way.
//
// Copies share memory until one of them changes it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/bytes.h"
#include "base/result.h"
#include "infer/decoder/recurrent/state_shape.h"
#include "infer/decoder/weights/decoder_options.h"

namespace ambry::infer {

// Tokens that a pass adds to a sequence at a time.
struct StateBlock {
  uint64_t position = 0;  // of the first one, where the sequence must stand
  size_t count = 0;
  bool begins_pass = true;
  bool of_prompt = false;  // whether the pass has several tokens and is no draft
};

class RecurrentState {
 public:
  explicit RecurrentState(const StateShape& shape) : shape_(shape) {}

  // Makes room for a block. LimitExceeded when the heap is full.
  [[nodiscard]] Result<void> reserve(const StateBlock& block);
  // After a block: gives up memory that it did not need.
  void end_block() {
    spares_.clear();
    spare_inputs_.reset();
  }

  // Adds `count` tokens of the block, at most kPassRows, and returns where their inputs belong,
  // input_floats for each. The caller writes them and changes state() by each of them.
  // replay(state, inputs, count) must do the same to any state.
  template <class Replay>
  [[nodiscard]] float* append(size_t count, const Replay& replay) {
    if (is_stale_) {
      copy_base();
      replay(state(), floats(inputs_), n_rows_);
      is_stale_ = false;
    }
    return append_rows(count);
  }
  // The state, which append() has brought to where its rows begin.
  [[nodiscard]] float* state() { return floats(now_); }

  // For a copy that was made during a pass: gives up what the pass may still change.
  void leave_pass() {
    end_block();
    now_.reset();
    is_stale_ = true;
  }

  // The largest number of first tokens, at most n, that it can be cut back to.
  [[nodiscard]] uint64_t reachable(uint64_t n) const;
  // Cuts back to n tokens, which must be reachable().
  void truncate(uint64_t n);

  // Heap bytes. Shared memory counts for each that holds it.
  [[nodiscard]] uint64_t bytes() const;
  // The most that it takes.
  [[nodiscard]] uint64_t most_bytes() const { return shape_.most_bytes(); }

  // As bytes, saved_bytes() of them (core/infer/decoder/saving/README.md). Writes them to `to` and
  // returns their end.
  [[nodiscard]] uint64_t saved_bytes() const;
  uint8_t* save(uint8_t* to) const;
  // Takes the bytes at the beginning of `saved`, for a sequence of `position` tokens, and returns
  // how many they are. Mismatch for those of another shape; BadValue for those that do not fit.
  [[nodiscard]] Result<size_t> restore(Bytes saved, uint64_t position);

 private:
  using Memory = std::shared_ptr<AlignedBuffer>;
  struct Checkpoint {
    uint64_t position;
    Memory state;
  };

  [[nodiscard]] static float* floats(const Memory& memory) { return memory->as<float>().data(); }
  [[nodiscard]] uint64_t state_bytes() const {
    return uint64_t{shape_.state_floats} * sizeof(float);
  }
  [[nodiscard]] uint64_t input_bytes() const {
    return uint64_t{shape_.input_floats} * sizeof(float);
  }
  [[nodiscard]] static Result<void> make_own(Memory& memory, uint64_t size, uint64_t used);
  [[nodiscard]] Result<void> make_base();
  [[nodiscard]] float* append_rows(size_t count);
  void copy_base();
  void rebase();

  StateShape shape_;
  Memory now_;     // after base_at_ + n_rows_ tokens, unless is_stale_
  Memory base_;    // after base_at_ tokens
  Memory inputs_;  // of the n_rows_ tokens since
  uint64_t base_at_ = 0;
  size_t n_rows_ = 0;
  bool is_stale_ = true;
  bool has_prompt_ = false;  // whether tokens of a prompt came since
  StateBlock block_;
  bool rebases_ = false;                 // whether the next token has a base of its own
  bool keeps_base_ = false;              // whether the base becomes a checkpoint then
  std::vector<Memory> spares_;           // for bases
  Memory spare_inputs_;                  // where a rebase comes after others could take a copy
  std::vector<Checkpoint> checkpoints_;  // the oldest first, all before base_at_
};

}  // namespace ambry::infer
