#include "api/decoder/text_embedding_job.h"

#include "api/encoder/embed_options_json.h"

namespace ambry::api {

Result<TextEmbeddingJob> TextEmbeddingJob::begin(std::shared_ptr<generate::Generator> generator,
                                                 std::string_view options) {
  AMBRY_TRY(const infer::EmbedDefaults defaults, generate::embed_defaults(*generator));
  AMBRY_TRY(infer::EmbedOptions read, read_embed_options(defaults, options));
  AMBRY_TRY(generate::TextEmbedding embedding,
            generate::TextEmbedding::begin(std::move(generator), std::move(read)));
  return TextEmbeddingJob(std::move(embedding));
}

Result<bool> TextEmbeddingJob::step() {
  AMBRY_TRY(last_, embedding_.step());
  return last_.done;
}

std::optional<size_t> TextEmbeddingJob::part() const {
  if (last_.step.kind != infer::PassStep::Kind::NeedsPart) return std::nullopt;
  return last_.step.part;
}

}  // namespace ambry::api
