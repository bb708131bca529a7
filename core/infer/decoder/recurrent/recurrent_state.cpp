#include "infer/decoder/recurrent/recurrent_state.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

namespace ambry::infer {

// Makes memory of `size` bytes that no copy shares, and keeps the first `used` of them.
Result<void> RecurrentState::make_own(Memory& memory, uint64_t size, uint64_t used) {
  if (memory != nullptr && memory.use_count() == 1) return {};
  AMBRY_TRY(AlignedBuffer own, AlignedBuffer::allocate(size));
  if (memory != nullptr && used > 0) {
    std::memcpy(own.data(), memory->data(), static_cast<size_t>(used));
  }
  memory = std::make_shared<AlignedBuffer>(std::move(own));
  return {};
}

// Before the first token a state is zeros.
Result<void> RecurrentState::make_base() {
  if (base_ != nullptr) return {};
  AMBRY_RETURN_IF_ERROR(make_own(base_, state_bytes(), 0));
  std::ranges::fill(base_->bytes(), uint8_t{0});
  return {};
}

Result<void> RecurrentState::reserve(const StateBlock& block) {
  if (shape_.state_floats == 0) return {};
  assert(block.position == base_at_ + n_rows_);
  AMBRY_RETURN_IF_ERROR(make_base());
  AMBRY_RETURN_IF_ERROR(make_own(now_, state_bytes(), is_stale_ ? 0 : state_bytes()));
  AMBRY_RETURN_IF_ERROR(
      make_own(inputs_, kPassRows * input_bytes(), uint64_t{n_rows_} * input_bytes()));
  block_ = block;
  rebases_ = n_rows_ + block.count > kPassRows;
  keeps_base_ = block.begins_pass && has_prompt_;
  // A long block replaces the base twice or more. Those after the second time are its own.
  const size_t n_spares = rebases_ ? (block.count > kPassRows ? 2 : 1) : 0;
  while (spares_.size() < n_spares) {
    AMBRY_TRY(AlignedBuffer spare, AlignedBuffer::allocate(state_bytes()));
    spares_.push_back(std::make_shared<AlignedBuffer>(std::move(spare)));
  }
  if (!rebases_) return {};
  // A copy of the sequence during the pass goes on from the base and the inputs. So nothing that it
  // shares may change until the end of the block.
  if (is_stale_) return make_own(spare_inputs_, kPassRows * input_bytes(), 0);
  rebase();
  return {};
}

void RecurrentState::copy_base() { std::ranges::copy(base_->bytes(), now_->data()); }

float* RecurrentState::append_rows(size_t count) {
  if (rebases_ || n_rows_ + count > kPassRows) rebase();
  has_prompt_ = has_prompt_ || block_.of_prompt;
  float* added = floats(inputs_) + n_rows_ * shape_.input_floats;
  n_rows_ += count;
  assert(n_rows_ <= kPassRows);
  return added;
}

// The state of now becomes the base. The one at the beginning of a long block is kept, so that the
// block can be taken back.
void RecurrentState::rebase() {
  const bool keeps = keeps_base_ && base_at_ > 0;
  if (keeps) {
    checkpoints_.push_back({base_at_, base_});
    if (checkpoints_.size() > kStateCheckpoints) checkpoints_.erase(checkpoints_.begin());
  }
  if (base_.use_count() > 1) {
    base_ = std::move(spares_.back());
    spares_.pop_back();
  }
  if (spare_inputs_ != nullptr) inputs_ = std::move(spare_inputs_);
  std::ranges::copy(now_->bytes(), base_->data());
  base_at_ += n_rows_;
  n_rows_ = 0;
  has_prompt_ = false;
  rebases_ = false;
  keeps_base_ = base_at_ == block_.position;
}

uint64_t RecurrentState::reachable(uint64_t n) const {
  if (n >= base_at_) return n;
  const auto after =
      std::ranges::find_if(checkpoints_, [&](const Checkpoint& one) { return one.position > n; });
  return after == checkpoints_.begin() ? 0 : (after - 1)->position;
}

void RecurrentState::truncate(uint64_t n) {
  assert(reachable(n) == n);
  end_block();
  if (n == 0) {
    *this = RecurrentState(shape_);
  } else if (n >= base_at_) {
    const auto left = static_cast<size_t>(std::min<uint64_t>(n - base_at_, n_rows_));
    is_stale_ = is_stale_ || left < n_rows_;
    n_rows_ = left;
  } else {
    const auto found = std::ranges::find(checkpoints_, n, &Checkpoint::position);
    base_ = std::move(found->state);
    base_at_ = n;
    n_rows_ = 0;
    is_stale_ = true;
    has_prompt_ = true;
    checkpoints_.erase(found, checkpoints_.end());
  }
}

uint64_t RecurrentState::bytes() const {
  uint64_t total = checkpoints_.size() * state_bytes();
  for (const Memory* memory : {&now_, &base_, &inputs_, &spare_inputs_}) {
    if (*memory != nullptr) total += (*memory)->size();
  }
  for (const Memory& spare : spares_) total += spare->size();
  return total;
}

}  // namespace ambry::infer
