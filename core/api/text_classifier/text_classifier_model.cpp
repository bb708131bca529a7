#include "api/text_classifier/text_classifier_model.h"

#include <cassert>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "api/call/documents.h"
#include "api/loading/parse_to_run.h"
#include "base/bytes.h"
#include "formats/registry.h"

namespace ambry::api {
namespace {

using io::Json;

Result<void> check_finite(const model::TensorEntry& tensor, std::span<const float> values) {
  for (size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i])) continue;
    return error_at(ErrorCode::BadValue, tensor.offset + i * sizeof(float),
                    {tensor.name, "[", i, "]"}, "not a finite number");
  }
  return {};
}

class TextClassifierLoader final : public Loader {
 public:
  explicit TextClassifierLoader(model::Model model)
      : Loader(TextClassifierModel::kKind), model_(std::move(model)) {}

  [[nodiscard]] Result<void> lay_out() {
    std::vector<size_t> all(model_.tensors.size());
    std::iota(all.begin(), all.end(), size_t{0});
    return ByteSink::lay_out(model_, all, model_.tensors.front().offset, model_.file_bytes);
  }

  [[nodiscard]] Result<std::unique_ptr<OpenedModel>> finish() override;

 private:
  [[nodiscard]] Result<void> on_chunk(const Segment& segment, uint64_t offset,
                                      AlignedBuffer& chunk) override;
  [[nodiscard]] Result<void> check_output_shape(Bytes fields) const;
  void keep(std::string_view name, AlignedBuffer bytes);

  model::Model model_;
  infer::MatrixParts input_;
  infer::MatrixParts output_;
};

Result<void> TextClassifierLoader::on_chunk(const Segment& segment, uint64_t /*offset*/,
                                            AlignedBuffer& chunk) {
  if (segment.tensor == kNoTensor) {
    const uint64_t at = model_.text_classifier->unread_output_at;
    if (at == 0 || at < segment.offset || at >= segment.offset + segment.bytes) return {};
    return check_output_shape(chunk.bytes().subspan(static_cast<size_t>(at - segment.offset)));
  }
  const model::TensorEntry& tensor = model_.tensors[segment.tensor];
  if (tensor.dtype == tensor::DType::F32) {
    AMBRY_RETURN_IF_ERROR(check_finite(tensor, chunk.as<float>()));
  }
  keep(tensor.name, std::move(chunk));
  return {};
}

// The parser could not look behind the input matrix of a sequential source.
Result<void> TextClassifierLoader::check_output_shape(Bytes fields) const {
  const model::TextClassifier& facts = *model_.text_classifier;
  const uint64_t at = facts.unread_output_at;
  assert(fields.size() == 1 + 2 * sizeof(uint64_t));
  if (fields[0] > 1) {
    return error_at(ErrorCode::BadValue, at, "output.quantized",
                    {uint32_t{fields[0]}, ", must be 0 or 1"});
  }
  const auto rows = load_le<uint64_t>(fields.data() + 1);
  const auto columns = load_le<uint64_t>(fields.data() + 1 + sizeof(uint64_t));
  if (rows == facts.labels.size() && columns == facts.dims) return {};
  return error_at(ErrorCode::Mismatch, at + 1, "output.rows",
                  {rows, " rows of ", columns, " numbers for ", uint64_t{facts.labels.size()},
                   " labels of ", facts.dims});
}

void TextClassifierLoader::keep(std::string_view name, AlignedBuffer bytes) {
  const bool is_input = name.starts_with(model::kInputMatrix);
  infer::MatrixParts& parts = is_input ? input_ : output_;
  name.remove_prefix(is_input ? model::kInputMatrix.size() : model::kOutputMatrix.size());
  AlignedBuffer& place = name == model::kCentroidsSuffix   ? parts.centroids
                         : name == model::kNormCodesSuffix ? parts.norm_codes
                         : name == model::kNormsSuffix     ? parts.norms
                                                           : parts.data;
  place = std::move(bytes);
}

Result<std::unique_ptr<OpenedModel>> TextClassifierLoader::finish() {
  assert(wanted() == 0);
  model::TextClassifier facts = std::move(*model_.text_classifier);
  model_.text_classifier.reset();
  input_.group = facts.input_group;
  output_.group = facts.output_group;
  const uint64_t n_rows =
      facts.n_words + (facts.pruned ? facts.kept_buckets.size() : facts.n_buckets);
  infer::MatrixRows input(std::move(input_), n_rows, facts.dims);
  infer::MatrixRows output(std::move(output_), facts.labels.size(), facts.dims);
  return std::unique_ptr<OpenedModel>(new TextClassifierModel(
      std::move(model_),
      infer::TextClassifier(std::move(facts), std::move(input), std::move(output))));
}

}  // namespace

Result<std::unique_ptr<Loader>> TextClassifierModel::load(const io::Source& source,
                                                          std::string_view /*options*/) {
  AMBRY_TRY(model::Model model, parse_to_run(source, formats::text_classifier_formats()));
  if (!model.text_classifier) {
    return make_error(ErrorCode::Unsupported, "header.model",
                      "the file has word vectors and no labels; open it with the kind `words`");
  }
  auto loader = std::make_unique<TextClassifierLoader>(std::move(model));
  AMBRY_RETURN_IF_ERROR(loader->lay_out());
  return std::unique_ptr<Loader>(std::move(loader));
}

TextClassifierModel::TextClassifierModel(model::Model model, infer::TextClassifier classifier)
    : OpenedModel(kKind),
      model_(std::move(model)),
      classifier_(std::make_shared<const infer::TextClassifier>(std::move(classifier))) {}

std::string TextClassifierModel::info() const {
  const model::TextClassifier& facts = classifier_->facts();
  Json document = file_info(model_, model_.config);
  Json& classifier = document.set("textClassifier", Json::object());
  Json& labels = classifier.set("labels", Json::array());
  for (size_t i = 0; i < facts.labels.size(); ++i) labels.append(facts.labels[i]);
  classifier.set("words", facts.n_words);
  classifier.set("dim", facts.dims);
  classifier.set("loss", model::label_loss_name(facts.loss));
  classifier.set("wordNgrams", facts.word_ngrams);
  classifier.set("minn", facts.min_n);
  classifier.set("maxn", facts.max_n);
  classifier.set("buckets", facts.n_buckets);
  classifier.set("quantized", facts.input_group != 0);
  classifier.set("pruned", facts.pruned);
  return document.dump();
}

}  // namespace ambry::api
