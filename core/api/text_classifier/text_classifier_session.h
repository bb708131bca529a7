// A loaded classifier of texts: its facts, and the jobs that classify.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "api/loading/byte_sink.h"
#include "api/text_classifier/predict_job.h"
#include "base/result.h"
#include "infer/text_classifier/text_classifier.h"
#include "io/source.h"
#include "model/file/model.h"

namespace ambry::api {

class TextClassifierSession {
 public:
  TextClassifierSession(model::Model model, infer::TextClassifier classifier);

  // JSON of file_info() with `textClassifier`: {labels, words, dim, loss: hs | ns | softmax | ova,
  // wordNgrams, minn, maxn, buckets, quantized, pruned}. `labels` is the list of them.
  [[nodiscard]] std::string info() const;
  // The number of bytes that both matrices take.
  [[nodiscard]] uint64_t weight_bytes() const { return classifier_->weight_bytes(); }

  [[nodiscard]] Result<PredictJob> begin_predict(std::string_view options) const {
    return PredictJob::begin(classifier_, options);
  }

 private:
  model::Model model_;  // without the facts that the classifier has
  std::shared_ptr<const infer::TextClassifier> classifier_;
};

// Streams a file's matrices into memory. Call begin() with the file's head, pass the bytes as in
// ByteSink, then call finish().
class TextClassifierLoader final : public ByteSink {
 public:
  // NeedBytes while bytes are missing. Unsupported when the file has word vectors.
  [[nodiscard]] static Result<std::unique_ptr<TextClassifierLoader>> begin(
      const io::Source& source);
  // Call once, when wanted() is 0.
  [[nodiscard]] TextClassifierSession finish();

 private:
  explicit TextClassifierLoader(model::Model model)
      : ByteSink(TensorMemory::Whole), model_(std::move(model)) {}

  [[nodiscard]] Result<void> on_chunk(const Segment& segment, uint64_t offset,
                                      AlignedBuffer& chunk) override;
  [[nodiscard]] Result<void> on_mismatch(Failure mismatch) override { return mismatch; }
  [[nodiscard]] Result<void> check_output_shape(Bytes fields) const;
  void keep(std::string_view name, AlignedBuffer bytes);

  model::Model model_;
  infer::MatrixParts input_;
  infer::MatrixParts output_;
};

}  // namespace ambry::api
