// A loaded model that generates text: its facts, tokenizer and jobs, and the missing tensors of a
// model whose weights are not all resident.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "api/decoder/activation_job.h"
#include "api/decoder/embedding/text_embedding_job.h"
#include "api/decoder/generate_job.h"
#include "api/decoder/logits_job.h"
#include "api/decoder/perplexity_job.h"
#include "api/decoder/prompt_cache.h"
#include "api/loading/tensor_receiver.h"
#include "base/result.h"
#include "generate/run/generator.h"

namespace ambry::api {

class GeneratorSession final : public TensorReceiver {
 public:
  // `resident` is the most bytes of weights in memory, 0 for all. GeneratorLoader makes sessions.
  GeneratorSession(std::shared_ptr<generate::Generator> runtime, uint64_t resident)
      : runtime_(std::move(runtime)), resident_(resident) {}

  // JSON of file_info(), whose `config` has the names of a sentence encoder's, too, when the model
  // makes embeddings (embeddingDim, hiddenSize, pooling, …); and with `generator`: {architecture,
  // context, slidingWindow, vocabulary, layers, keyValueBytes, kv, endIds, specialTokens,
  // chatTemplate, streaming: {resident, bytesPerPass}}.
  [[nodiscard]] std::string info() const;
  // The number of bytes of weights in memory now.
  [[nodiscard]] uint64_t weight_bytes() const { return runtime_->decoder.weight_bytes(); }

  // The threads that its jobs run on (infer::Decoder::set_team).
  void set_team(WorkTeam* team) { runtime_->decoder.set_team(team); }

  // As in api::Tokenizer. Unsupported without a tokenizer.
  [[nodiscard]] Result<std::string> tokenize(std::string_view text, bool special) const;
  [[nodiscard]] Result<std::string> detokenize(std::string_view ids, bool skip_special) const;

  // The prompt is the `ids` of `options`, which is JSON, or else `text`, with special tokens around
  // it unless `options` has `special: false`. The jobs describe the other options.
  [[nodiscard]] Result<GenerateJob> begin_generate(std::string_view text,
                                                   std::string_view options) const {
    return GenerateJob::begin(runtime_, text, options);
  }
  [[nodiscard]] Result<LogitsJob> begin_logits(std::string_view text,
                                               std::string_view options) const {
    return LogitsJob::begin(runtime_, text, options);
  }
  [[nodiscard]] Result<PerplexityJob> begin_perplexity(std::string_view text,
                                                       std::string_view options) const {
    return PerplexityJob::begin(runtime_, text, options);
  }
  [[nodiscard]] Result<ActivationJob> begin_activations(std::string_view options) const {
    return ActivationJob::begin(runtime_, options);
  }

  // `options` is the JSON of EmbedOptions.
  [[nodiscard]] Result<TextEmbeddingJob> begin_embedding(std::string_view options) const {
    return TextEmbeddingJob::begin(runtime_, options);
  }

  [[nodiscard]] PromptCache create_prompt_cache() const { return PromptCache(runtime_); }
  [[nodiscard]] Result<PromptCache> restore_prompt_cache(Bytes saved) const {
    return PromptCache::restore(runtime_, saved);
  }

  // Frees parts until there is room for `part`. Returns the missing tensors of `part` as JSON
  // [[tensor, offset, bytes]]. NotFound when there is no such part.
  [[nodiscard]] Result<std::string> room_for(uint64_t part);
  // The missing tensors of the next part that lacks some; [] when there is none.
  [[nodiscard]] Result<std::string> lacking_next(uint64_t part) const;

 private:
  [[nodiscard]] Result<void> check_part(uint64_t part) const;
  [[nodiscard]] const model::Model& described() const override { return runtime_->model; }
  [[nodiscard]] Result<void> receive(size_t tensor, AlignedBuffer bytes) override {
    return runtime_->decoder.put_tensor(tensor, std::move(bytes));
  }

  std::shared_ptr<generate::Generator> runtime_;  // shared with running jobs
  uint64_t resident_;
};

}  // namespace ambry::api
