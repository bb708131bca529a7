#include "api/decoder/prompt_cache.h"

#include <utility>

#include "infer/decoder/saving/saved_state.h"
#include "io/json/json.h"

namespace ambry::api {

Result<SavedPromptCache> SavedPromptCache::of_size(uint64_t size) {
  AMBRY_TRY(AlignedBuffer bytes, AlignedBuffer::allocate(size));
  return SavedPromptCache(std::move(bytes));
}

PromptCache::PromptCache(std::shared_ptr<generate::Generator> runtime)
    : runtime_(std::move(runtime)), state_(runtime_->decoder) {}

std::string PromptCache::facts() const {
  io::Json document = io::Json::object();
  document.set("tokens", uint64_t{state_.position()});
  document.set("bytes", state_.bytes());
  document.set("note", std::string_view(note_));
  return document.dump();
}

PromptCache PromptCache::fork() const { return {runtime_, state_.fork(), note_}; }

Result<void> PromptCache::keep(const GenerateJob& job) {
  if (&job.runtime() != runtime_.get()) {
    return make_error(ErrorCode::BadValue, "job", "the answer is of another model");
  }
  if (job.state() == nullptr) {
    return make_error(ErrorCode::BadValue, "job", "one of several answers cannot be kept");
  }
  state_ = job.state()->fork();
  return {};
}

Result<SavedPromptCache> PromptCache::save(std::string_view note) const {
  AMBRY_TRY(AlignedBuffer bytes, infer::SavedState::write(runtime_->decoder, state_, note));
  return SavedPromptCache(std::move(bytes));
}

Result<PromptCache> PromptCache::restore(std::shared_ptr<generate::Generator> runtime,
                                         Bytes saved) {
  AMBRY_TRY(infer::SavedState read, infer::SavedState::read(runtime->decoder, saved));
  return PromptCache(std::move(runtime), std::move(read.state()), std::move(read.note()));
}

}  // namespace ambry::api
