#include "api/decoder/text_embedding_job.h"

#include "api/decoder/progress_document.h"
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

Result<std::string> TextEmbeddingJob::step() {
  AMBRY_TRY(const generate::PassProgress progress, embedding_.step());
  return progress_document(progress).dump();
}

}  // namespace ambry::api
