// The keys and values of a conversation, kept from one answer to the next. A generation that begins
// from a cache computes only the tokens that the cache does not have, and gives the same bits as
// one without it.
//
// A generation works on a fork, so the cache stays as it was until keep() takes over what it made.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/aligned_buffer.h"
#include "base/bytes.h"
#include "base/result.h"
#include "generate/generation.h"
#include "generate/run/generator.h"
#include "infer/decoder/decoder_state.h"

namespace ambry::generate {

class PromptCache {
 public:
  // An empty one.
  explicit PromptCache(std::shared_ptr<Generator> generator);
  [[nodiscard]] PromptCache fork() const;

  // The tokens that are kept.
  [[nodiscard]] size_t n_tokens() const { return state_.position(); }
  // The heap that they take. Memory that forks share counts for each.
  [[nodiscard]] uint64_t bytes() const { return state_.bytes(); }
  // The note with which the cache was saved.
  [[nodiscard]] const std::string& note() const { return note_; }

  // For Generation::begin().
  [[nodiscard]] const std::shared_ptr<Generator>& generator() const { return generator_; }
  [[nodiscard]] const infer::DecoderState& state() const { return state_; }
  // Takes over the tokens of a generation so far, which may go on. BadValue for one of another
  // model or of several answers.
  [[nodiscard]] Result<void> keep(const Generation& generation);

  // See infer::SavedState. The note is a text of the caller.
  [[nodiscard]] Result<AlignedBuffer> save(std::string_view note) const;
  [[nodiscard]] static Result<PromptCache> restore(std::shared_ptr<Generator> generator,
                                                   Bytes saved);

 private:
  PromptCache(std::shared_ptr<Generator> generator, infer::DecoderState state, std::string note)
      : generator_(std::move(generator)), state_(std::move(state)), note_(std::move(note)) {}

  std::shared_ptr<Generator> generator_;
  infer::DecoderState state_;
  std::string note_;
};

}  // namespace ambry::generate
