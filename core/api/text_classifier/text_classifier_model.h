// A loaded classifier of texts. PredictJob runs on it.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "api/model/loader.h"
#include "api/model/opened_model.h"
#include "infer/text_classifier/text_classifier.h"
#include "io/source.h"
#include "model/file/model.h"

namespace ambry::api {

class TextClassifierModel final : public OpenedModel {
 public:
  static constexpr std::string_view kKind = "textClassifier";

  // See LoadModel. There are no options. Unsupported when the file has word vectors.
  [[nodiscard]] static Result<std::unique_ptr<Loader>> load(const io::Source& source,
                                                            std::string_view options);
  TextClassifierModel(model::Model model, infer::TextClassifier classifier);

  // JSON of file_info() with `textClassifier`: {labels, words, dim, loss: hs | ns | softmax | ova,
  // wordNgrams, minn, maxn, buckets, quantized, pruned}. `labels` is the list of them.
  [[nodiscard]] std::string info() const override;
  [[nodiscard]] uint64_t weight_bytes() const override { return classifier_->weight_bytes(); }
  // Jobs share it.
  [[nodiscard]] const std::shared_ptr<const infer::TextClassifier>& classifier() const {
    return classifier_;
  }

 private:
  model::Model model_;  // without the facts that the classifier has
  std::shared_ptr<const infer::TextClassifier> classifier_;
};

}  // namespace ambry::api
