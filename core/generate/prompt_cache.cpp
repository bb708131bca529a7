#include "generate/prompt_cache.h"

#include "infer/decoder/saving/saved_state.h"

namespace ambry::generate {

PromptCache::PromptCache(std::shared_ptr<Generator> generator)
    : generator_(std::move(generator)), state_(generator_->decoder) {}

PromptCache PromptCache::fork() const { return {generator_, state_.fork(), note_}; }

Result<void> PromptCache::keep(const Generation& generation) {
  if (&generation.generator() != generator_.get()) {
    return make_error(ErrorCode::BadValue, "job", "the answer is of another model");
  }
  if (generation.state() == nullptr) {
    return make_error(ErrorCode::BadValue, "job", "one of several answers cannot be kept");
  }
  state_ = generation.state()->fork();
  return {};
}

Result<AlignedBuffer> PromptCache::save(std::string_view note) const {
  return infer::SavedState::write(generator_->decoder, state_, note);
}

Result<PromptCache> PromptCache::restore(std::shared_ptr<Generator> generator, Bytes saved) {
  AMBRY_TRY(infer::SavedState read, infer::SavedState::read(generator->decoder, saved));
  return PromptCache(std::move(generator), std::move(read.state()), std::move(read.note()));
}

}  // namespace ambry::generate
