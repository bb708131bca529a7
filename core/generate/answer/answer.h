// What callers see of an answer: its tokens as they come, and all of it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "infer/decoder/token_probability.h"

namespace ambry::generate {

// Format: the answer has its whole form, and nothing can follow. None: the answer goes on.
enum class StopReason : uint8_t { None, Eos, Stop, Length, Context, Format };

// The logarithm of a token's probability, and the likeliest tokens at its place.
struct ChoiceProbability {
  double log_probability = 0;
  std::vector<infer::TokenProbability> likely;
};

// A token whose text is certain now.
struct TokenEvent {
  size_t answer = 0;  // the number of the answer
  size_t index = 0;   // among the answer's tokens
  uint32_t id = 0;
  std::string text = {};
  std::optional<ChoiceProbability> probability = {};  // if it was asked for
};

// An answer so far. Valid until the next step of its generation.
struct Answer {
  std::span<const uint32_t> prompt;
  size_t n_reused = 0;  // tokens of the prompt that were not computed for this answer
  std::span<const uint32_t> ids = {};
  std::string_view text = {};
  StopReason stop = StopReason::None;
  // Whether the text has the whole form, if the answer keeps to one.
  std::optional<bool> is_complete = {};
};

}  // namespace ambry::generate
