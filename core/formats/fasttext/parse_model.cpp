#include <algorithm>
#include <string>
#include <utility>

#include "formats/fasttext/fasttext_layout.h"
#include "formats/fasttext/fasttext_parse.h"
#include "formats/fasttext/matrix.h"
#include "io/byte_reader.h"

namespace ambry::formats::fasttext {
namespace {

class Parser {
 public:
  Parser(const io::Source& source, io::Diagnostics& diagnostics, const model::ReadOptions& options)
      : source_(source), diagnostics_(diagnostics), options_(options), reader_(source) {}

  Result<model::Model> parse();

 private:
  void warn_of_words();
  Result<void> read_output();
  Result<MatrixPlace> read_output_matrix(bool quantized);
  void add_matrix(std::string_view name, uint64_t begin, const MatrixPlace& place);
  void add_tensor(std::string name, tensor::DType dtype, const tensor::Shape& shape,
                  uint64_t offset, const MatrixPlace& place);
  void set_config();
  void set_words();
  void set_classifier();
  [[nodiscard]] bool is_classifier() const { return header_.args.model == kSupervised; }

  const io::Source& source_;
  io::Diagnostics& diagnostics_;
  const model::ReadOptions& options_;
  io::ByteReader reader_;
  Header header_;
  Dictionary dictionary_;
  MatrixPlace input_;
  std::optional<MatrixPlace> output_;
  uint64_t unread_output_at_ = 0;
  model::Model model_;
};

Result<model::Model> Parser::parse() {
  reader_.set_read_ahead(std::min(source_.size(), kReadAhead));
  AMBRY_TRY(header_, read_header(reader_));
  const BadLabel bad_label = is_classifier() ? BadLabel::Error : BadLabel::Replace;
  AMBRY_TRY(dictionary_, read_dictionary(source_, reader_, header_.args, bad_label));
  if (!is_classifier()) warn_of_words();
  model_.format = "fasttext";
  model_.version = concat({header_.version});
  model_.file_bytes = source_.size();
  model_.metadata = metadata_of(header_.args);
  const uint64_t input_at = reader_.position();
  model_.regions.push_back({"header", 0, kHeaderBytes});
  model_.regions.push_back({"dictionary", kHeaderBytes, input_at - kHeaderBytes});
  {
    const auto scope = reader_.enter("input");
    // After the dictionary, single fields lie far apart.
    reader_.set_read_ahead(0);
    AMBRY_TRY(input_, read_input(reader_, header_.args, dictionary_));
  }
  add_matrix(model::kInputMatrix, input_at, input_);
  AMBRY_RETURN_IF_ERROR(read_output());
  set_config();
  if (is_classifier()) {
    set_classifier();
  } else {
    set_words();
  }
  return std::move(model_);
}

// fastText itself cuts words at a number of bytes. A classifier compares bytes, and shows no word.
void Parser::warn_of_words() {
  const uint64_t n_invalid = dictionary_.n_invalid_words;
  if (n_invalid == 0) return;
  diagnostics_.warn(error_at(ErrorCode::BadValue, kHeaderBytes, "dictionary.entries",
                             {counted(n_invalid, "word"), n_invalid == 1 ? " is" : " are",
                              " not valid UTF-8 and shown with U+FFFD"}));
}

// Word vectors do without an output matrix, and some programs write none.
Result<void> Parser::read_output() {
  const auto scope = reader_.enter("output");
  const uint64_t at = reader_.position();
  if (!is_classifier() && reader_.remaining() == 0) return {};
  if (source_.sequential_only() && !input_.quantizer) {
    // This lies behind the whole input, which is not held. The loader compares it.
    const MatrixShape expected{
        is_classifier() ? dictionary_.labels.size() : dictionary_.words.size(), header_.args.dims};
    unread_output_at_ = at;
    output_ = expected_plain_matrix(at + 1, expected);
    reader_.seek(output_->data_offset);
    AMBRY_RETURN_IF_ERROR(reader_.skip(expected.rows * expected.cols * sizeof(float), "data"));
  } else {
    AMBRY_TRY(const auto quantized, reader_.read<uint8_t>("quantized"));
    if (quantized > 1) {
      return reader_.fail(ErrorCode::BadValue, at, "quantized",
                          {uint32_t{quantized}, ", must be 0 or 1"});
    }
    // As fastText does: where the input is not quantized, the flag of the output has no meaning.
    AMBRY_TRY(output_, read_output_matrix(quantized == 1 && input_.quantizer));
  }
  add_matrix(model::kOutputMatrix, at, *output_);
  return is_classifier() ? reader_.expect_end() : Result<void>();
}

Result<MatrixPlace> Parser::read_output_matrix(bool quantized) {
  const MatrixShape expected{is_classifier() ? dictionary_.labels.size() : dictionary_.words.size(),
                             header_.args.dims};
  return quantized ? read_quantized_matrix(reader_, expected)
                   : read_plain_matrix(reader_, expected);
}

void Parser::add_tensor(std::string name, tensor::DType dtype, const tensor::Shape& shape,
                        uint64_t offset, const MatrixPlace& place) {
  const uint64_t element = dtype == tensor::DType::F32 ? sizeof(float) : 1;
  model_.tensors.push_back({.name = std::move(name),
                            .dtype = dtype,
                            .shape = shape,
                            .offset = offset,
                            .bytes = *shape.count() * element,
                            .index_offset = place.offset});
}

// `begin` is where the fields of the matrix begin, with its flag.
void Parser::add_matrix(std::string_view name, uint64_t begin, const MatrixPlace& place) {
  const std::string text(name);
  model_.regions.push_back({text + " fields", begin, place.data_offset - begin});
  if (!place.quantizer) {
    add_tensor(text, tensor::DType::F32, {place.rows, place.cols}, place.data_offset, place);
    return;
  }
  const QuantizerPlace& quantizer = *place.quantizer;
  add_tensor(text, tensor::DType::U8, {place.rows, quantizer.n_groups}, place.data_offset, place);
  const auto add_centroids = [&](std::string_view suffix, uint64_t dims, uint64_t offset) {
    const std::string full = text + std::string(suffix);
    model_.regions.push_back({full + " fields", offset - kQuantizerBytes, kQuantizerBytes});
    add_tensor(full, tensor::DType::F32, {dims, kCentroids}, offset, place);
  };
  add_centroids(model::kCentroidsSuffix, place.cols, quantizer.centroids_offset);
  if (!place.norm_codes_offset) return;
  add_tensor(text + std::string(model::kNormCodesSuffix), tensor::DType::U8, {place.rows},
             *place.norm_codes_offset, place);
  add_centroids(model::kNormsSuffix, 1, place.norms_offset);
}

void Parser::set_config() {
  const Args& args = header_.args;
  io::Json config = io::Json::object();
  config.set("model", model_.metadata.find("model")->string());
  config.set("dims", args.dims);
  config.set("words", uint64_t{dictionary_.words.size()});
  config.set("labels", uint64_t{dictionary_.labels.size()});
  config.set("loss", model::label_loss_name(static_cast<model::LabelLoss>(args.loss)));
  config.set("word_ngrams", args.word_ngrams);
  config.set("min_n", args.min_n);
  config.set("max_n", args.max_n);
  config.set("buckets", args.bucket);
  config.set("kept_buckets", dictionary_.n_bucket_rows(args));
  config.set("quantized", input_.quantizer.has_value());
  config.set("quantized_output", output_ && output_->quantizer);
  model_.config = std::move(config);
}

void Parser::set_words() {
  const Args& args = header_.args;
  model::WordVocabulary& words = model_.words.emplace();
  words.n_words = dictionary_.words.size();
  if (options_.vocabulary) words.words = std::move(dictionary_.words);
  if (args.max_n == 0 || args.bucket == 0) return;
  words.kind = model::WordVocabularyKind::FastText;
  words.min_n = std::max(args.min_n, 1U);
  words.max_n = args.max_n;
  words.n_buckets = args.bucket;
}

void Parser::set_classifier() {
  const Args& args = header_.args;
  model::TextClassifier& made = model_.text_classifier.emplace();
  made.loss = static_cast<model::LabelLoss>(args.loss);
  made.dims = args.dims;
  made.word_ngrams = args.word_ngrams;
  made.min_n = args.min_n;
  made.max_n = args.max_n;
  made.n_buckets = args.bucket;
  made.pruned = dictionary_.pruned;
  made.kept_buckets = std::move(dictionary_.kept_buckets);
  made.kept_rows = std::move(dictionary_.kept_rows);
  made.n_words = dictionary_.words.size();
  if (options_.vocabulary) made.words = std::move(dictionary_.words);
  made.labels = std::move(dictionary_.labels);
  made.label_counts = std::move(dictionary_.label_counts);
  if (input_.quantizer) made.input_group = input_.quantizer->group;
  if (output_->quantizer) made.output_group = output_->quantizer->group;
  made.unread_output_at = unread_output_at_;
}

}  // namespace

Result<model::Model> parse(const io::Source& source, io::Diagnostics& diagnostics,
                           const model::ReadOptions& options) {
  return Parser(source, diagnostics, options).parse();
}

}  // namespace ambry::formats::fasttext
