// Streams the rows of word vectors into memory.
#include <algorithm>
#include <cassert>
#include <utility>
#include <vector>

#include "api/call/options.h"
#include "api/loading/model_range.h"
#include "api/loading/reserve_heap.h"
#include "api/words/word_parts.h"
#include "api/words/words_model.h"

namespace ambry::api {
namespace {

class WordsLoader final : public Loader {
 public:
  WordsLoader(model::Model model, infer::WordParts parts)
      : Loader(WordsModel::kKind), model_(std::move(model)), parts_(std::move(parts)) {}

  [[nodiscard]] Result<void> lay_out() {
    std::vector<size_t> wanted;
    uint64_t begin = model_.file_bytes;
    uint64_t end = 0;
    for (size_t i = 0; i < model_.tensors.size(); ++i) {
      wanted.push_back(i);
      begin = std::min(begin, model_.tensors[i].offset);
      end = std::max(end, model_.tensors[i].offset + model_.tensors[i].bytes);
    }
    reserve_heap(bytes_of(model_, wanted));
    return ByteSink::lay_out(model_, wanted, begin, end);
  }

  [[nodiscard]] Result<std::unique_ptr<OpenedModel>> finish() override {
    assert(wanted() == 0);
    return std::unique_ptr<OpenedModel>(
        new WordsModel(std::move(model_), infer::WordVectors(std::move(parts_)), false));
  }

 private:
  [[nodiscard]] Result<void> on_chunk(const Segment& segment, uint64_t /*offset*/,
                                      AlignedBuffer& chunk) override {
    if (segment.tensor == kNoTensor) return {};
    return accept(model_.tensors[segment.tensor], chunk, parts_);
  }

  model::Model model_;
  infer::WordParts parts_;
};

// Loads the codes of a model in range mode, which has everything else.
class CodeLoader final : public ByteSink {
 public:
  explicit CodeLoader(std::shared_ptr<infer::WordVectors> vectors)
      : ByteSink(TensorMemory::Whole), vectors_(std::move(vectors)) {}

  [[nodiscard]] Result<void> lay_out(const model::Model& model) {
    const auto codes = std::ranges::find_if(model.tensors, holds_rows);
    const auto index = static_cast<size_t>(codes - model.tensors.begin());
    const uint64_t wanted = vectors_->rows().complete() ? 0 : codes->bytes;
    return ByteSink::lay_out(model, wanted > 0 ? std::vector{index} : std::vector<size_t>(),
                             codes->offset, codes->offset + wanted);
  }

 private:
  [[nodiscard]] Result<void> on_chunk(const Segment& segment, uint64_t /*offset*/,
                                      AlignedBuffer& chunk) override {
    AMBRY_RETURN_IF_ERROR(
        check_codes(chunk.bytes(), segment.offset, vectors_->quantizer()->shape.n_centroids));
    vectors_->rows().set_all(std::move(chunk));
    return {};
  }
  [[nodiscard]] Result<void> on_mismatch(Failure mismatch) override { return mismatch; }

  std::shared_ptr<infer::WordVectors> vectors_;
};

// Loads a tensor that range mode keeps in memory.
Result<void> take(const io::Source& source, const model::TensorEntry& tensor,
                  infer::WordParts& parts) {
  AMBRY_TRY(const Bytes stored, source.view(tensor.offset, tensor.bytes, tensor.name));
  AMBRY_TRY(AlignedBuffer bytes, AlignedBuffer::allocate(tensor.bytes));
  std::ranges::copy(stored, bytes.data());
  return accept(tensor, bytes, parts);
}

// A model in range mode.
Result<std::unique_ptr<OpenedModel>> open_ranged(const io::Source& source) {
  AMBRY_TRY(model::Model model, parse_words(source));
  infer::WordParts parts = begin_parts(model);
  for (const model::TensorEntry& tensor : model.tensors) {
    if (!holds_rows(tensor)) AMBRY_RETURN_IF_ERROR(take(source, tensor, parts));
  }
  return std::unique_ptr<OpenedModel>(
      new WordsModel(std::move(model), infer::WordVectors(std::move(parts)), true));
}

}  // namespace

Result<std::unique_ptr<Loader>> WordsModel::load(const io::Source& source,
                                                 std::string_view options) {
  AMBRY_TRY(const io::Json json, io::parse_json(options, 0, "options"));
  AMBRY_TRY(const bool ranged, read_bool(json, "ranged", false));
  if (ranged) {
    AMBRY_TRY(auto model, open_ranged(source));
    return std::unique_ptr<Loader>(new FinishedLoader(std::move(model)));
  }
  AMBRY_TRY(model::Model model, parse_words(source));
  infer::WordParts parts = begin_parts(model);
  auto loader = std::make_unique<WordsLoader>(std::move(model), std::move(parts));
  AMBRY_RETURN_IF_ERROR(loader->lay_out());
  return std::unique_ptr<Loader>(std::move(loader));
}

Result<std::unique_ptr<ByteSink>> WordsModel::begin_codes() const {
  if (!vectors_->quantizer()) {
    return make_error(
        ErrorCode::Unsupported, "rows",
        "only quantized vectors have codes to load; for nearest words among dense vectors, open "
        "the whole file");
  }
  auto loader = std::make_unique<CodeLoader>(vectors_);
  AMBRY_RETURN_IF_ERROR(loader->lay_out(model_));
  return std::unique_ptr<ByteSink>(std::move(loader));
}

}  // namespace ambry::api
