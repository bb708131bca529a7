#include "infer/decoder/forward_pass.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "infer/decoder/part_steps.h"
#include "simd/isa.h"

namespace ambry::infer {
Result<void> ForwardPass::check_begin(const Decoder& decoder, const DecoderState& state,
                                      std::span<const uint32_t> ids) {
  if (state.unfinished_) {
    return make_error(ErrorCode::BadValue, "state",
                      "an earlier pass was abandoned; reset the sequence first");
  }
  if (ids.empty()) return make_error(ErrorCode::BadValue, "ids", "no tokens");
  if (ids.size() > state.capacity() - state.position()) {
    return make_error(
        ErrorCode::LimitExceeded, "ids",
        {state.position() + ids.size(), " tokens, but the context is ", state.capacity()});
  }
  for (size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] < decoder.n_vocab()) continue;
    return make_error(ErrorCode::BadValue, {"ids[", i, "]"},
                      {"id ", ids[i], " is outside the vocabulary of ", decoder.n_vocab()});
  }
  return {};
}

Result<void> ForwardPass::begin(const Decoder& decoder, DecoderState& state,
                                std::span<const uint32_t> ids, Logits wanted) {
  AMBRY_RETURN_IF_ERROR(check_begin(decoder, state, ids));
  decoder_ = &decoder;
  state_ = &state;
  const model::DecoderConfig& config = decoder.config();
  const size_t end = state.position() + ids.size();
  ids_.clear();
  if (rope_changes(config, state.rotated_for_, end)) {
    ids_ = std::move(state.ids_);
    state.reset();
  }
  state.rotated_for_ = std::max<uint64_t>(state.rotated_for_, end);
  ids_.insert(ids_.end(), ids.begin(), ids.end());
  n_logits_ = wanted == Logits::Each ? ids.size() : 1;
  AMBRY_TRY(logits_, AlignedBuffer::allocate(uint64_t{n_logits_} * config.n_vocab * sizeof(float)));
  if (config.positions == model::DecoderPositions::Rope) {
    rope_.set_frequencies(rope_frequencies(config, end));
    local_rope_.set_frequencies(config.rope_local_freq_base > 0 ? local_rope_frequencies(config)
                                                                : RopeFrequencies());
  }
  block_begin_ = 0;
  state.unfinished_ = true;
  return begin_block();
}

// Streamed weights are read once for all tokens. Others are used block after block.
size_t ForwardPass::block_rows() const {
  return decoder_->is_streamed() ? ids_.size() : std::min(ids_.size(), kPassRows);
}

Result<void> ForwardPass::begin_block() {
  part_ = kEmbeddingPart;
  block_end_ = std::min(block_begin_ + block_rows(), ids_.size());
  const size_t count = block_end_ - block_begin_;
  AMBRY_RETURN_IF_ERROR(scratch_.reserve(*decoder_, count));
  if (decoder_->config().positions == model::DecoderPositions::Rope) {
    rope_.fill(state_->position(), count);
    local_rope_.fill(state_->position(), count);
  }
  const uint64_t end = state_->position() + count;
  for (KvCache& layer : state_->layers_) {
    AMBRY_RETURN_IF_ERROR(layer.reserve(state_->position(), end));
  }
  state_->written_ = std::max(state_->written_, end);
  return {};
}

// The tokens of this block whose logits are wanted are its last ones.
size_t ForwardPass::wanted_rows() const {
  const size_t first = ids_.size() - n_logits_;
  return block_end_ <= first ? 0 : block_end_ - std::max(first, block_begin_);
}

Result<PassStep> ForwardPass::step() {
  using Kind = PassStep::Kind;
  if (done()) return PassStep{Kind::Done};
  if (!decoder_->is_ready(part_)) return PassStep{Kind::NeedsPart, part_};
  AMBRY_RETURN_IF_ERROR(run_part());
  ++part_;
  const size_t output = decoder_->n_parts() - 1;
  if (part_ < output || (part_ == output && wanted_rows() > 0)) return PassStep{Kind::More};
  state_->ids_.insert(state_->ids_.end(), ids_.begin() + static_cast<std::ptrdiff_t>(block_begin_),
                      ids_.begin() + static_cast<std::ptrdiff_t>(block_end_));
  block_begin_ = block_end_;
  if (done()) {
    state_->unfinished_ = false;
    return PassStep{Kind::Done};
  }
  AMBRY_RETURN_IF_ERROR(begin_block());
  return PassStep{Kind::More};
}

Result<void> ForwardPass::run_part() {
  const size_t count = block_end_ - block_begin_;
  AMBRY_RETURN_IF_ERROR(scratch_.reserve_kernels(*decoder_, std::min(count, kPassRows)));
  const PassBlock block{
      {ids_.data() + block_begin_, count}, state_->position(), rope_, local_rope_, observed_};
  const PartSteps<simd::Best> steps(*decoder_, scratch_, block);
  const model::DecoderConfig& config = decoder_->config();
  if (part_ == kEmbeddingPart) {
    steps.embed();
  } else if (part_ == output_part(config.n_layers)) {
    const std::span<float> logits = block_logits();
    steps.output(wanted_rows(), logits.data());
    return check_finite(logits, config.n_vocab);
  } else if (const auto layer = static_cast<uint32_t>((part_ - 1) / 2); part_ == mlp_part(layer)) {
    steps.feed_forward(layer);
    if (layer + 1 == config.n_layers) steps.observe_output();
  } else {
    steps.attention(layer, state_->layers_[layer]);
    if (config.parallel_residual) {
      return check_finite({scratch_.attended, count * config.n_embd}, config.n_embd);
    }
  }
  return check_finite({scratch_.hidden, count * config.n_embd}, config.n_embd);
}

// The rows of logits that belong to this block.
std::span<float> ForwardPass::block_logits() {
  const size_t width = decoder_->config().n_vocab;
  const size_t first = block_end_ - wanted_rows() - (ids_.size() - n_logits_);
  return logits_.as<float>().subspan(first * width, wanted_rows() * width);
}

// `rows` are the results of the current part for the last tokens of the block.
Result<void> ForwardPass::check_finite(std::span<const float> rows, size_t width) const {
  const auto bad = std::ranges::find_if(rows, [](float x) { return !std::isfinite(x); });
  if (bad == rows.end()) return {};
  const size_t row = static_cast<size_t>(bad - rows.begin()) / width;
  const size_t position =
      state_->position() + (block_end_ - block_begin_) - rows.size() / width + row;
  return make_error(ErrorCode::BadValue, part_name(part_, decoder_->config().n_layers),
                    {"its result at position ", position,
                     " is not finite: a weight is not, or the values outgrow their type"});
}

std::span<const float> ForwardPass::logits(size_t i) const {
  assert(done() && i < n_logits_);
  return logits_.as<float>().subspan(i * decoder_->config().n_vocab, decoder_->n_vocab());
}

size_t ForwardPass::n_steps() const {
  const size_t rows = block_rows();
  const size_t n_blocks = (ids_.size() + rows - 1) / rows;
  const size_t with_output = n_blocks - (ids_.size() - n_logits_) / rows;
  return n_blocks * (decoder_->n_parts() - 1) + with_output;
}

size_t ForwardPass::steps_done() const {
  if (done()) return n_steps();
  const size_t rows = block_rows();
  const size_t without_output = (ids_.size() - n_logits_) / rows;
  const size_t before = block_begin_ / rows;
  const size_t outputs = before - std::min(before, without_output);
  return before * (decoder_->n_parts() - 1) + outputs + part_;
}

}  // namespace ambry::infer
