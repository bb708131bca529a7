// Streams the rows of word vectors into memory.
#pragma once

#include <memory>
#include <utility>

#include "api/loading/byte_sink.h"
#include "api/words/words_session.h"
#include "base/result.h"
#include "infer/words/word_vectors.h"
#include "io/source.h"
#include "model/file/model.h"

namespace ambry::api {

// Loads a whole file: begin() with its head, then the bytes as in ByteSink, then finish().
class WordsLoader final : public ByteSink {
 public:
  // NeedBytes while bytes are missing.
  [[nodiscard]] static Result<std::unique_ptr<WordsLoader>> begin(const io::Source& source);
  // Call once, when wanted() is 0.
  [[nodiscard]] WordsSession finish();

 private:
  WordsLoader(model::Model model, infer::WordParts parts)
      : ByteSink(TensorMemory::Whole), model_(std::move(model)), parts_(std::move(parts)) {}

  [[nodiscard]] Result<void> on_chunk(const Segment& segment, uint64_t offset,
                                      AlignedBuffer& chunk) override;
  [[nodiscard]] Result<void> on_mismatch(Failure mismatch) override { return mismatch; }

  model::Model model_;
  infer::WordParts parts_;
};

// Loads the codes of a session in range mode, which has everything else. It has no finish().
class CodeLoader final : public ByteSink {
 public:
  [[nodiscard]] static Result<std::unique_ptr<ByteSink>> begin(
      const model::Model& model, std::shared_ptr<infer::WordVectors> vectors);

 private:
  explicit CodeLoader(std::shared_ptr<infer::WordVectors> vectors)
      : ByteSink(TensorMemory::Whole), vectors_(std::move(vectors)) {}

  [[nodiscard]] Result<void> on_chunk(const Segment& segment, uint64_t offset,
                                      AlignedBuffer& chunk) override;
  [[nodiscard]] Result<void> on_mismatch(Failure mismatch) override { return mismatch; }

  std::shared_ptr<infer::WordVectors> vectors_;
};

}  // namespace ambry::api
