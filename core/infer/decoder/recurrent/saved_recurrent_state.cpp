// A layer's state as bytes (core/infer/decoder/saving/README.md).
#include <algorithm>
#include <utility>

#include "infer/decoder/recurrent/recurrent_state.h"

namespace ambry::infer {
namespace {

// stateBytes, inputBytes and nStates.
constexpr size_t kHeadBytes = 3 * sizeof(uint64_t);

uint8_t* put(uint8_t* to, uint64_t number) {
  store_le(to, number);
  return to + sizeof number;
}

Failure bad_state(ErrorCode code, const Text& message) {
  return make_error(code, "saved.states", message);
}

}  // namespace

uint64_t RecurrentState::saved_bytes() const {
  const uint64_t n_states = checkpoints_.size() + (base_at_ > 0 ? 1 : 0);
  return kHeadBytes + n_states * (sizeof(uint64_t) + state_bytes()) + n_rows_ * input_bytes();
}

uint8_t* RecurrentState::save(uint8_t* to) const {
  std::vector<Checkpoint> states = checkpoints_;
  if (base_at_ > 0) states.push_back({base_at_, base_});
  to = put(put(put(to, state_bytes()), input_bytes()), states.size());
  for (const auto& [position, state] : states) {
    to = std::ranges::copy(std::as_const(*state).bytes(), put(to, position)).out;
  }
  if (n_rows_ == 0) return to;
  const auto n_bytes = static_cast<size_t>(n_rows_ * input_bytes());
  return std::ranges::copy(std::as_const(*inputs_).bytes().first(n_bytes), to).out;
}

Result<size_t> RecurrentState::restore(Bytes saved, uint64_t position) {
  *this = RecurrentState(shape_);
  if (saved.size() < kHeadBytes) return bad_state(ErrorCode::Truncated, "the bytes end early");
  const auto number = [&](size_t i) {
    return load_le<uint64_t>(saved.data() + i * sizeof(uint64_t));
  };
  if (number(0) != state_bytes() || number(1) != input_bytes()) {
    return bad_state(ErrorCode::Mismatch,
                     {"a layer has ", number(0), " bytes of state and ", number(1),
                      " for a token, but the model has ", state_bytes(), " and ", input_bytes()});
  }
  const uint64_t n_states = number(2);
  if (n_states > kStateCheckpoints + 1) {
    return bad_state(ErrorCode::BadValue, {n_states, " states of a layer are too many"});
  }
  size_t at = kHeadBytes;
  const auto size = static_cast<size_t>(state_bytes());
  for (uint64_t i = 0; i < n_states; ++i) {
    if (saved.size() - at < sizeof(uint64_t) + size) {
      return bad_state(ErrorCode::Truncated, "the bytes end early");
    }
    const auto place = load_le<uint64_t>(saved.data() + at);
    if (place <= base_at_ || place > position) {
      return bad_state(ErrorCode::BadValue, {"a state is at position ", place, " of ", position});
    }
    if (base_ != nullptr) checkpoints_.push_back({base_at_, std::move(base_)});
    AMBRY_RETURN_IF_ERROR(make_own(base_, size, 0));
    std::ranges::copy(saved.subspan(at + sizeof(uint64_t), size), base_->data());
    base_at_ = place;
    at += sizeof(uint64_t) + size;
  }
  const uint64_t n_rows = shape_.state_floats == 0 ? 0 : position - base_at_;
  if (n_rows > kPassRows || saved.size() - at < n_rows * input_bytes()) {
    return bad_state(ErrorCode::BadValue, {"inputs of ", n_rows, " tokens are missing"});
  }
  n_rows_ = static_cast<size_t>(n_rows);
  if (n_rows == 0) return at;
  AMBRY_RETURN_IF_ERROR(make_own(inputs_, kPassRows * input_bytes(), 0));
  const auto n_bytes = static_cast<size_t>(n_rows * input_bytes());
  std::ranges::copy(saved.subspan(at, n_bytes), inputs_->data());
  return at + n_bytes;
}

}  // namespace ambry::infer
