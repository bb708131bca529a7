// The blocks of a pass that a device computes. They are apart from decoder_pass.cpp, which is
// compiled for speed.
#include <algorithm>
#include <cassert>
#include <utility>

#include "infer/decoder/decoder_pass.h"

namespace ambry::infer {

// What the device needs to know of this block.
std::shared_ptr<DeviceBlock> ForwardPass::device_block() const {
  auto block = std::make_shared<DeviceBlock>();
  for (const Sequence& of : sequences_) {
    const size_t first = std::max(of.begin, block_begin_);
    const size_t last = std::min(of.end, block_end_);
    if (first >= last) continue;
    const DecoderState& state = *of.state;
    const bool stretched = rope_changes(decoder_->config(), 1, state.rotated_for_);
    block->pieces.push_back(
        {state.number_, stretched ? 1U : 0U, first - block_begin_, last - first, state.ids_});
  }
  const auto ids = std::span(ids_).subspan(block_begin_, block_end_ - block_begin_);
  block->ids.assign(ids.begin(), ids.end());
  block->wanted.assign(wanted_.begin(), wanted_.end());
  block->hidden = hidden_;
  block->rope = rope_.values();
  block->local_rope = local_rope_.values();
  return block;
}

// Waits for a device, takes its results, or goes on without it.
Result<PassStep> ForwardPass::device_step() {
  if (!device_block_) device_block_ = device_block();
  if (!decoder_->on_device() || device_block_->restart) {
    AMBRY_RETURN_IF_ERROR(restart());
    return PassStep{PassStep::Kind::More};
  }
  if (!device_block_->answered) {
    decoder_->wait_for(device_block_);
    return PassStep{PassStep::Kind::NeedsPart, PassStep::kDevicePart};
  }
  const std::span<float> to = block_logits();
  assert(device_block_->results.as<float>().size() == to.size());
  std::ranges::copy(device_block_->results.as<float>(), to.begin());
  part_ = output_part(decoder_->config().n_layers);
  steps_done_ += part_ + (hidden_ || wanted_.empty() ? 0 : 1);
  AMBRY_RETURN_IF_ERROR(check_finite(to, row_width()));
  device_block_.reset();
  return next_block();
}

// Begins what is left of this pass again, with the tokens that the sequences had before: the device
// has lost their keys and values, or is gone.
Result<void> ForwardPass::restart() {
  device_block_.reset();
  const std::vector<uint32_t> ids = std::move(ids_);
  ids_.clear();
  for (Sequence& of : sequences_) {
    const size_t begin = ids_.size();
    if (of.end > block_begin_) {
      const auto left = std::span(ids).subspan(std::max(of.begin, block_begin_),
                                               of.end - std::max(of.begin, block_begin_));
      ids_.insert(ids_.end(), of.state->ids_.begin(), of.state->ids_.end());
      ids_.insert(ids_.end(), left.begin(), left.end());
      of.n_logits = std::min(of.n_logits, left.size());
      of.state->reset();
      of.state->unfinished_ = true;
      of.state->rotated_for_ = of.length;
    } else {
      of.n_logits = 0;
    }
    of.begin = begin;
    of.end = ids_.size();
  }
  block_begin_ = 0;
  n_steps_ = steps_done_ + count_steps();
  return begin_block();
}

}  // namespace ambry::infer
