#include "infer/decoder/decoder_pass.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "infer/decoder/part_steps.h"
#include "simd/isa.h"

namespace ambry::infer {
namespace {

bool wants_hidden(const SequenceRows& rows) {
  return rows.wanted == Logits::HiddenOfLast || rows.wanted == Logits::HiddenOfEach;
}

// Rows of logits or hidden states.
size_t n_wanted(const SequenceRows& rows) {
  switch (rows.wanted) {
    case Logits::None:
      return 0;
    case Logits::Last:
    case Logits::HiddenOfLast:
      return 1;
    case Logits::Each:
    case Logits::HiddenOfEach:
      return rows.ids.size();
  }
  return 0;
}

}  // namespace

Result<void> ForwardPass::check_begin(const Decoder& decoder, const DecoderState& state,
                                      std::span<const uint32_t> ids, bool hidden) {
  if (!hidden && !decoder.makes_logits()) {
    return make_error(ErrorCode::Unsupported, "model",
                      {"this model makes embeddings and cannot generate text: ",
                       decoder.config().bidirectional ? "its tokens see the ones after them"
                                                      : "its file has no output matrix"});
  }
  assert(!decoder.config().bidirectional || state.position() == 0);
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

Result<void> ForwardPass::begin(const Decoder& decoder, std::span<const SequenceRows> sequences) {
  hidden_ = std::ranges::any_of(sequences, wants_hidden);
  for (const SequenceRows& rows : sequences) {
    assert(wants_hidden(rows) == hidden_);
    AMBRY_RETURN_IF_ERROR(check_begin(decoder, *rows.state, rows.ids, hidden_));
  }
  decoder_ = &decoder;
  assert(hidden_ || stop_after_ == 0);
  ids_.clear();
  sequences_.clear();
  n_logits_ = 0;
  for (const SequenceRows& rows : sequences) add(rows);
  AMBRY_TRY(logits_, AlignedBuffer::allocate(uint64_t{n_logits_} * row_width() * sizeof(float)));
  set_frequencies(sequences_.empty() ? 0 : sequences_.front().length);
  logits_done_ = 0;
  steps_done_ = 0;
  n_steps_ = count_steps();
  experts_.clear();
  device_block_.reset();
  block_begin_ = 0;
  for (const Sequence& sequence : sequences_) sequence.state->unfinished_ = true;
  return done() ? Result<void>() : begin_block();
}

void ForwardPass::add(const SequenceRows& rows) {
  DecoderState& state = *rows.state;
  const size_t begin = ids_.size();
  const uint64_t length = state.position() + rows.ids.size();
  if (rope_changes(decoder_->config(), state.rotated_for_, length) ||
      (state.lacks_keys_ && !decoder_->on_device())) {
    ids_.insert(ids_.end(), state.ids_.begin(), state.ids_.end());
    state.reset();
  }
  state.rotated_for_ = std::max(state.rotated_for_, length);
  ids_.insert(ids_.end(), rows.ids.begin(), rows.ids.end());
  const size_t n_logits = n_wanted(rows);
  sequences_.push_back({&state, begin, ids_.size(), n_logits, length});
  n_logits_ += n_logits;
}

// For the rows of a sequence that has `length` tokens after the pass.
void ForwardPass::set_frequencies(uint64_t length) {
  const model::DecoderConfig& config = decoder_->config();
  if (config.positions != model::DecoderPositions::Rope) return;
  rope_.set_frequencies(rope_frequencies(config, length));
  local_rope_.set_frequencies(config.rope_local_freq_base > 0 ? local_rope_frequencies(config)
                                                              : RopeFrequencies());
}

// Streamed weights are read once for all tokens. Others are used block after block, unless tokens
// see later ones.
size_t ForwardPass::block_rows() const {
  if (decoder_->on_device()) return std::min(ids_.size(), kDeviceRows);
  const bool whole = decoder_->is_streamed() || decoder_->config().bidirectional;
  return whole ? ids_.size() : std::min(ids_.size(), kPassRows);
}

// Values in a row of logits or of the hidden state.
size_t ForwardPass::row_width() const {
  return hidden_ ? decoder_->config().n_embd : decoder_->config().n_vocab;
}

// How many layers this pass runs.
uint32_t ForwardPass::n_layers() const {
  return stop_after_ == 0 ? decoder_->config().n_layers : stop_after_;
}

// Each block runs through all parts but the output, and through that if it has rows with logits.
size_t ForwardPass::count_steps() const {
  if (ids_.empty()) return 0;
  const size_t rows = block_rows();
  size_t n_outputs = 0;
  size_t next = 0;  // the first block that was not looked at
  for (const Sequence& sequence : sequences_) {
    if (sequence.n_logits == 0) continue;
    const size_t first = std::max(next, (sequence.end - sequence.n_logits) / rows);
    next = std::max(next, (sequence.end - 1) / rows + 1);
    n_outputs += next - std::min(first, next);
  }
  const size_t n_blocks = (ids_.size() + rows - 1) / rows;
  return n_blocks * output_part(n_layers()) + (hidden_ ? 0 : n_outputs);
}

// Calls use(sequence, first, last) for the rows [first, last) of each sequence in this block.
template <class Use>
void ForwardPass::for_pieces(const Use& use) const {
  for (const Sequence& sequence : sequences_) {
    const size_t first = std::max(sequence.begin, block_begin_);
    const size_t last = std::min(sequence.end, block_end_);
    if (first < last) use(sequence, first, last);
  }
}

Result<void> ForwardPass::begin_block() {
  part_ = kEmbeddingPart;
  block_end_ = std::min(block_begin_ + block_rows(), ids_.size());
  AMBRY_RETURN_IF_ERROR(scratch_.reserve(*decoder_, block_end_ - block_begin_));
  rope_.clear();
  local_rope_.clear();
  pieces_.clear();
  wanted_.clear();
  Result<void> begun;
  for_pieces([&](const Sequence& of, size_t first, size_t last) {
    if (begun) begun = begin_piece(of, first, last);
  });
  return begun;
}

Result<void> ForwardPass::begin_piece(const Sequence& of, size_t first, size_t last) {
  DecoderState& state = *of.state;
  const uint64_t position = state.position();
  const size_t count = last - first;
  pieces_.push_back({state.layers_, state.states_, first - block_begin_, count, position});
  for (size_t row = std::max(first, of.end - of.n_logits); row < last; ++row) {
    wanted_.push_back(row - block_begin_);
  }
  if (decoder_->config().positions == model::DecoderPositions::Rope) {
    const bool own = sequences_.size() > 1 && rotation_depends_on_length(decoder_->config());
    if (own) set_frequencies(of.length);
    rope_.add(position, count);
    local_rope_.add(position, count);
  }
  const uint64_t end = position + count;
  state.lacks_keys_ = decoder_->on_device();
  for (KvCache& layer : state.layers_) {
    if (!state.lacks_keys_) AMBRY_RETURN_IF_ERROR(layer.reserve(position, end));
  }
  const bool of_prompt = of.end - of.begin > 1 && of.n_logits <= 1;
  const StateBlock block{position, count, first == of.begin, of_prompt};
  const size_t n_states = std::min<size_t>(state.states_.size(), n_layers());
  for (size_t i = 0; i < n_states; ++i) {
    AMBRY_RETURN_IF_ERROR(state.states_[i].reserve(block));
  }
  state.written_ = std::max(state.written_, end);
  return {};
}

void ForwardPass::end_block() {
  for_pieces([&](const Sequence& of, size_t first, size_t last) {
    const auto begin = ids_.begin();
    for (RecurrentState& layer : of.state->states_) layer.end_block();
    of.state->ids_.insert(of.state->ids_.end(), begin + static_cast<std::ptrdiff_t>(first),
                          begin + static_cast<std::ptrdiff_t>(last));
  });
  logits_done_ += wanted_.size();
  block_begin_ = block_end_;
}

Result<PassStep> ForwardPass::step() {
  using Kind = PassStep::Kind;
  if (done()) return PassStep{Kind::Done};
  if (decoder_->on_device() || device_block_) return device_step();
  const size_t needed = needed_part();
  if (!decoder_->is_ready(needed)) return PassStep{Kind::NeedsPart, needed};
  AMBRY_RETURN_IF_ERROR(run_part());
  if (experts_.begun()) return PassStep{Kind::More};
  ++part_;
  ++steps_done_;
  const size_t output = output_part(n_layers());
  if (part_ < output || (part_ == output && !hidden_ && !wanted_.empty())) {
    return PassStep{Kind::More};
  }
  return next_block();
}

Result<PassStep> ForwardPass::next_block() {
  end_block();
  if (done()) {
    for (const Sequence& sequence : sequences_) sequence.state->unfinished_ = false;
    return PassStep{PassStep::Kind::Done};
  }
  AMBRY_RETURN_IF_ERROR(begin_block());
  return PassStep{PassStep::Kind::More};
}

// The part that the next step uses: an expert where the tokens have chosen theirs.
size_t ForwardPass::needed_part() const {
  if (!experts_.more()) return part_;
  return expert_part(decoder_->config(), static_cast<uint32_t>((part_ - 1) / 2), experts_.next());
}

// Runs the experts of a layer as far as they are in memory. Returns whether all have run.
template <class Steps>
bool ForwardPass::run_experts(const Steps& steps, uint32_t layer) {
  if (!experts_.begun()) {
    steps.route(layer, experts_);
    decoder_->expect_experts(experts_.taken());
  }
  for (; experts_.more(); experts_.advance()) {
    if (!decoder_->is_ready(needed_part())) return false;
    decoder_->note_use(layer, experts_.next());
    steps.run(layer, experts_.next(), experts_.rows());
  }
  steps.finish(layer);
  experts_.clear();
  return true;
}

Result<void> ForwardPass::run_part() {
  const size_t count = block_end_ - block_begin_;
  AMBRY_RETURN_IF_ERROR(scratch_.reserve_kernels(*decoder_, std::min(count, kPassRows)));
  const PassBlock block{
      {ids_.data() + block_begin_, count}, pieces_, rope_, local_rope_, observed_};
  const PartSteps<simd::Best> steps(*decoder_, scratch_, block);
  const model::DecoderConfig& config = decoder_->config();
  if (part_ == kEmbeddingPart) {
    steps.embed();
  } else if (part_ == output_part(config.n_layers)) {
    const std::span<float> logits = block_logits();
    steps.output(wanted_, logits.data());
    return check_finite(logits, config.n_vocab);
  } else if (const auto layer = static_cast<uint32_t>((part_ - 1) / 2); part_ == mlp_part(layer)) {
    if (!config.experts.in_layer(layer) || !config.has_mlp(layer)) {
      steps.feed_forward(layer);
    } else if (!run_experts(steps.experts(), layer)) {
      return {};
    }
    steps.end_layer(layer);
    if (layer + 1 == n_layers()) {
      steps.observe_output();
      if (hidden_) steps.final_states(wanted_, block_logits().data());
    }
  } else {
    steps.mix(layer);
    if (config.parallel_residual) {
      return check_finite({scratch_.attended, count * config.n_embd}, config.n_embd);
    }
  }
  return check_finite({scratch_.hidden, count * config.n_embd}, config.n_embd);
}

// The rows of logits or hidden states that belong to this block.
std::span<float> ForwardPass::block_logits() {
  return logits_.as<float>().subspan(logits_done_ * row_width(), wanted_.size() * row_width());
}

// `rows` are the results of the current part: for the rows with logits if it is the output, and for
// all rows of the block if it is not.
Result<void> ForwardPass::check_finite(std::span<const float> rows, size_t width) const {
  const auto bad = std::ranges::find_if(rows, [](float x) { return !std::isfinite(x); });
  if (bad == rows.end()) return {};
  const size_t i = static_cast<size_t>(bad - rows.begin()) / width;
  const size_t row = part_ == output_part(decoder_->config().n_layers) ? wanted_[i] : i;
  return make_error(ErrorCode::BadValue, part_name(part_, decoder_->config()),
                    {"its result at position ", position_of(row),
                     " is not finite: a weight is not, or the values outgrow their type"});
}

// In its sequence, of a row of the block.
uint64_t ForwardPass::position_of(size_t row) const {
  const auto after = std::ranges::find_if(
      pieces_, [&](const PassPiece& piece) { return row < piece.first + piece.rows; });
  return after->position + (row - after->first);
}

std::span<const float> ForwardPass::logits(size_t i) const {
  assert(done() && !hidden_ && i < n_logits_);
  return logits_.as<float>().subspan(i * decoder_->config().n_vocab, decoder_->n_vocab());
}

std::span<const float> ForwardPass::hidden() const {
  assert(done() && hidden_);
  return logits_.as<float>().first(n_logits_ * row_width());
}

}  // namespace ambry::infer
