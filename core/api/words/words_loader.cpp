#include "api/words/words_loader.h"

#include <algorithm>
#include <cassert>
#include <vector>

#include "api/loading/model_range.h"
#include "api/loading/reserve_heap.h"
#include "api/words/word_parts.h"

namespace ambry::api {

Result<std::unique_ptr<WordsLoader>> WordsLoader::begin(const io::Source& source) {
  AMBRY_TRY(model::Model model, parse_words(source));
  infer::WordParts parts = begin_parts(model);
  std::vector<size_t> wanted;
  uint64_t begin = model.file_bytes;
  uint64_t end = 0;
  for (size_t i = 0; i < model.tensors.size(); ++i) {
    wanted.push_back(i);
    begin = std::min(begin, model.tensors[i].offset);
    end = std::max(end, model.tensors[i].offset + model.tensors[i].bytes);
  }
  reserve_heap(bytes_of(model, wanted));
  std::unique_ptr<WordsLoader> loader(new WordsLoader(std::move(model), std::move(parts)));
  AMBRY_RETURN_IF_ERROR(loader->lay_out(loader->model_, wanted, begin, end));
  return loader;
}

Result<void> WordsLoader::on_chunk(const Segment& segment, uint64_t /*offset*/,
                                   AlignedBuffer& chunk) {
  if (segment.tensor == kNoTensor) return {};
  return accept(model_.tensors[segment.tensor], chunk, parts_);
}

WordsSession WordsLoader::finish() {
  assert(wanted() == 0);
  return {std::move(model_), infer::WordVectors(std::move(parts_)), false};
}

Result<std::unique_ptr<ByteSink>> CodeLoader::begin(const model::Model& model,
                                                    std::shared_ptr<infer::WordVectors> vectors) {
  if (!vectors->quantizer()) {
    return make_error(
        ErrorCode::Unsupported, "rows",
        "only quantized vectors have codes to load; for nearest words among dense vectors, open "
        "the whole file");
  }
  const auto codes = std::ranges::find_if(model.tensors, holds_rows);
  const auto index = static_cast<size_t>(codes - model.tensors.begin());
  std::unique_ptr<CodeLoader> loader(new CodeLoader(std::move(vectors)));
  const uint64_t wanted = loader->vectors_->rows().complete() ? 0 : codes->bytes;
  AMBRY_RETURN_IF_ERROR(loader->lay_out(model,
                                        wanted > 0 ? std::vector{index} : std::vector<size_t>(),
                                        codes->offset, codes->offset + wanted));
  return std::unique_ptr<ByteSink>(std::move(loader));
}

Result<void> CodeLoader::on_chunk(const Segment& segment, uint64_t /*offset*/,
                                  AlignedBuffer& chunk) {
  AMBRY_RETURN_IF_ERROR(
      check_codes(chunk.bytes(), segment.offset, vectors_->quantizer()->shape.n_centroids));
  vectors_->rows().set_all(std::move(chunk));
  return {};
}

}  // namespace ambry::api
