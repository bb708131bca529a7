// The keys and values of a conversation, kept from one answer to the next. A job that begins from a
// cache computes only the tokens that the cache does not have, and gives the same bits as a job
// without one.
//
// A job works on a fork, so the cache stays as it was until keep() takes over what the job made.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "api/decoder/generate_job.h"
#include "base/aligned_buffer.h"
#include "base/bytes.h"
#include "base/result.h"
#include "generate/run/generator.h"
#include "infer/decoder/decoder_state.h"

namespace ambry::api {

// A saved cache in the heap, on its way out or in.
class SavedPromptCache {
 public:
  // Room for `size` bytes that the caller writes.
  [[nodiscard]] static Result<SavedPromptCache> of_size(uint64_t size);
  explicit SavedPromptCache(AlignedBuffer bytes) : bytes_(std::move(bytes)) {}

  [[nodiscard]] MutableBytes bytes() { return bytes_.bytes(); }

 private:
  AlignedBuffer bytes_;
};

class PromptCache {
 public:
  // An empty one.
  explicit PromptCache(std::shared_ptr<generate::Generator> runtime);

  // JSON {tokens, bytes, note}: the tokens that are kept, the heap that they take (memory that
  // forks share counts for each), and the note with which the cache was saved.
  [[nodiscard]] std::string facts() const;
  [[nodiscard]] PromptCache fork() const;

  // As GeneratorSession::begin_generate(). The cache does not change.
  [[nodiscard]] Result<GenerateJob> begin_generate(std::string_view text,
                                                   std::string_view options) const {
    return GenerateJob::begin(runtime_, text, options, &state_);
  }
  // Takes over the tokens of a job so far. The job may go on. BadValue for a job of another model
  // or of several answers.
  [[nodiscard]] Result<void> keep(const GenerateJob& job);

  // See infer::SavedState. The note is a text of the caller.
  [[nodiscard]] Result<SavedPromptCache> save(std::string_view note) const;
  [[nodiscard]] static Result<PromptCache> restore(std::shared_ptr<generate::Generator> runtime,
                                                   Bytes saved);

 private:
  PromptCache(std::shared_ptr<generate::Generator> runtime, infer::DecoderState state,
              std::string note)
      : runtime_(std::move(runtime)), state_(std::move(state)), note_(std::move(note)) {}

  std::shared_ptr<generate::Generator> runtime_;
  infer::DecoderState state_;
  std::string note_;
};

}  // namespace ambry::api
