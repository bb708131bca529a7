// A loaded model that generates text: its facts, tokenizer and jobs, and the missing tensors of a
// model whose weights are not all resident.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/decoder/generate_job.h"
#include "api/decoder/pass_jobs.h"
#include "api/decoder/saved_prompt_cache.h"
#include "api/decoder/text_embedding_job.h"
#include "api/loading/tensor_receiver.h"
#include "base/result.h"
#include "generate/prompt_cache.h"
#include "generate/run/generator.h"

namespace ambry::api {

class GeneratorSession final : public TensorReceiver {
 public:
  // `resident` is the most bytes of weights in memory, 0 for all. GeneratorLoader makes sessions.
  // `stored` is as in ModelToRun.
  GeneratorSession(std::shared_ptr<generate::Generator> generator, uint64_t resident,
                   std::vector<model::TensorEntry> stored)
      : generator_(std::move(generator)), resident_(resident), stored_(std::move(stored)) {}

  // JSON of file_info(), whose `config` has the names of a sentence encoder's, too, when the model
  // makes embeddings (embeddingDim, hiddenSize, pooling, …); and with `generator`: {architecture,
  // context, slidingWindow, vocabulary, layers, keyValueBytes, kv, endIds, specialTokens,
  // chatTemplate, streaming: {resident, bytesPerPass}}.
  [[nodiscard]] std::string info() const;
  // The number of bytes of weights in memory now.
  [[nodiscard]] uint64_t weight_bytes() const { return generator_->decoder.weight_bytes(); }

  // The threads that its jobs run on (infer::Decoder::set_team).
  void set_team(WorkTeam* team) { generator_->decoder.set_team(team); }

  // As in api::Tokenizer. Unsupported without a tokenizer.
  [[nodiscard]] Result<std::string> tokenize(std::string_view text, bool special) const;
  [[nodiscard]] Result<std::string> detokenize(std::string_view ids, bool skip_special) const;

  // The prompt is the `ids` of `options`, which is JSON, or else `text`, with special tokens around
  // it unless `options` has `special: false`. The jobs describe the other options.
  [[nodiscard]] Result<GenerateJob> begin_generate(std::string_view text,
                                                   std::string_view options) const {
    return GenerateJob::begin(generator_, text, options);
  }
  [[nodiscard]] Result<LogitsJob> begin_logits(std::string_view text,
                                               std::string_view options) const {
    return api::begin_logits(generator_, text, options);
  }
  [[nodiscard]] Result<PerplexityJob> begin_perplexity(std::string_view text,
                                                       std::string_view options) const {
    return api::begin_perplexity(generator_, text, options);
  }
  [[nodiscard]] Result<ActivationJob> begin_activations(std::string_view options) const {
    return api::begin_activations(generator_, options);
  }

  // `options` is the JSON of read_embed_options().
  [[nodiscard]] Result<TextEmbeddingJob> begin_embedding(std::string_view options) const {
    return TextEmbeddingJob::begin(generator_, options);
  }

  [[nodiscard]] generate::PromptCache create_prompt_cache() const {
    return generate::PromptCache(generator_);
  }
  [[nodiscard]] Result<generate::PromptCache> restore_prompt_cache(Bytes saved) const {
    return generate::PromptCache::restore(generator_, saved);
  }

  // Frees parts until there is room for `part`. Returns the missing tensors of `part` as JSON
  // [[tensor, offset, bytes]]. NotFound when there is no such part.
  [[nodiscard]] Result<std::string> room_for(uint64_t part);
  // The missing tensors of the next part that lacks some; [] when there is none.
  [[nodiscard]] Result<std::string> lacking_next(uint64_t part) const;

 private:
  [[nodiscard]] Result<void> check_part(uint64_t part) const;
  [[nodiscard]] const model::Model& described() const override { return generator_->model; }
  [[nodiscard]] Result<void> receive(size_t tensor, AlignedBuffer bytes) override {
    return generator_->decoder.put_tensor(tensor, std::move(bytes));
  }

  std::shared_ptr<generate::Generator> generator_;  // shared with running jobs
  uint64_t resident_;
  std::vector<model::TensorEntry> stored_;
};

}  // namespace ambry::api
