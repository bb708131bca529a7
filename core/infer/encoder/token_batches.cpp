#include "infer/encoder/token_batches.h"

#include "infer/encoder/batch_plan.h"
#include "infer/scratch_buffer.h"

namespace ambry::infer {

void TokenBatches::add(const text::Encoding& encoding, bool types) {
  ids_.insert(ids_.end(), encoding.ids.begin(), encoding.ids.end());
  if (types) type_ids_.insert(type_ids_.end(), encoding.type_ids.begin(), encoding.type_ids.end());
  ends_.push_back(ids_.size());
}

void TokenBatches::add(std::span<const uint32_t> ids, size_t n_seen) {
  ids_.insert(ids_.end(), ids.begin(), ids.end());
  ends_.push_back(ids_.size());
  seen_.push_back(n_seen);
}

void TokenBatches::plan() {
  std::vector<uint32_t> lengths(size());
  for (uint32_t text = 0; text < lengths.size(); ++text) {
    lengths[text] = static_cast<uint32_t>(length(text));
  }
  batches_ = plan_batches(lengths);
}

Sequence TokenBatches::sequence(uint32_t text) const {
  Sequence sequence{ids(text), {}};
  if (!type_ids_.empty()) {
    sequence.type_ids = std::span(type_ids_).subspan(begin_of(text), length(text));
  }
  if (!seen_.empty()) sequence.n_seen = seen_[text];
  return sequence;
}

Result<void> TokenBatches::run_next(const Encoder& encoder, bool first_only) {
  const size_t width = encoder.hidden_size();
  size_t n_values = 0;
  sequences_.clear();  // keeps the memory
  hidden_ends_.clear();
  for (const uint32_t text : batches_[next_]) {
    sequences_.push_back(sequence(text));
    n_values += sequences_.back().ids.size() * width;
    hidden_ends_.push_back(first_only ? sequences_.size() * width : n_values);
  }
  AMBRY_RETURN_IF_ERROR(reserve_floats(hidden_, n_values));
  const std::span<float> out = hidden_.as<float>().first(n_values);
  AMBRY_RETURN_IF_ERROR(first_only ? encoder.run_first(sequences_, out)
                                   : encoder.run(sequences_, out));
  ++next_;
  return {};
}

std::span<const float> TokenBatches::hidden(size_t i) const {
  const size_t begin = i == 0 ? 0 : hidden_ends_[i - 1];
  return hidden_.as<float>().subspan(begin, hidden_ends_[i] - begin);
}

}  // namespace ambry::infer
