#include "distill/static_file.h"

#include <algorithm>
#include <utility>

#include "formats/embd/code_keys.h"
#include "formats/embd/embd_write.h"
#include "io/json/json.h"
#include "model/file/file_layout.h"
#include "model/file/new_tensor.h"
#include "model/static_encoder/static_config.h"
#include "model/tokenizer/tokenizer_metadata.h"
#include "tensor/dtype/convert.h"
#include "tensor/quantize.h"

namespace ambry::distill {
namespace {

using model::TensorEntry;
using tensor::DType;

// What Model2Vec reads.
constexpr uint32_t kTokens = 512;

// WordPiece: the source's rules with fewer tokens, of which only [UNK] is special. Other kinds stay
// whole, because their pieces are made of each other.
model::TokenizerData tokenizer_of(const model::TokenizerData& source,
                                  std::span<const uint32_t> kept) {
  if (source.kind != model::TokenizerKind::WordPiece) return source;
  model::TokenizerData data;
  data.clean_text = source.clean_text;
  data.handle_chinese_chars = source.handle_chinese_chars;
  data.lowercase = source.lowercase;
  data.strip_accents = source.strip_accents;
  data.continuing_subword_prefix = source.continuing_subword_prefix;
  data.max_input_chars_per_word = source.max_input_chars_per_word;
  data.lists_added_tokens = true;
  for (const uint32_t id : kept) {
    if (source.unk_id == id) data.unk_id = static_cast<uint32_t>(data.vocabulary.size());
    data.vocabulary.push_back(source.vocabulary[id]);
  }
  return data;
}

// The bytes of each tensor.
using Contents = std::vector<std::vector<uint8_t>>;

Result<Contents> contents_of(std::span<const float> rows, uint32_t dim, DType dtype) {
  Contents contents(1);
  contents[0].resize(rows.size() * tensor::dtype_size(dtype));
  if (dtype != DType::I8) {
    AMBRY_RETURN_IF_ERROR(tensor::from_f32(dtype, rows, contents[0]));
    return contents;
  }
  std::vector<float> scales(rows.size() / dim);
  const std::span<int8_t> codes(reinterpret_cast<int8_t*>(contents[0].data()), rows.size());
  AMBRY_RETURN_IF_ERROR(tensor::quantize_rows_int8(rows, scales.size(), dim, codes, scales));
  contents.emplace_back(scales.size() * sizeof(float));
  AMBRY_RETURN_IF_ERROR(tensor::from_f32(DType::F32, scales, contents[1]));
  return contents;
}

std::vector<uint8_t> assemble(const model::FileLayout& layout, const Contents& contents) {
  std::vector<uint8_t> file;
  file.reserve(static_cast<size_t>(layout.total_bytes));
  for (const model::FilePiece& piece : layout.pieces) {
    const bool literal = piece.tensor == model::FilePiece::kLiteral;
    const std::vector<uint8_t>& bytes = literal ? piece.bytes : contents[piece.tensor];
    file.insert(file.end(), bytes.begin(), bytes.end());
  }
  model::ChecksumWriter checksums(layout);
  checksums.update(file);
  for (const auto& patch : checksums.finish()) {
    std::ranges::copy(patch.bytes, file.begin() + static_cast<std::ptrdiff_t>(patch.offset));
  }
  return file;
}

}  // namespace

Result<std::vector<uint8_t>> static_file(const model::TokenizerData& source,
                                         std::span<const uint32_t> kept,
                                         std::span<const float> rows, uint32_t dim,
                                         const DistillOptions& options) {
  model::Model target;
  target.format = "embd";
  target.version = "F0 1.0";
  target.tokenizer = tokenizer_of(source, kept);
  model::StaticConfig config;
  config.vocab_size = static_cast<uint32_t>(kept.size());
  config.embedding_dim = dim;
  config.max_seq_length = kTokens;
  config.drop_unknown = target.tokenizer->kind != model::TokenizerKind::Unigram;  // as Model2Vec
  config.median_token_length = model::median_token_length(target.tokenizer->vocabulary);
  model::set_static_metadata(config, target.metadata);
  target.metadata.set("model_name", options.model_name);
  target.metadata.set("model_version", "unspecified");
  target.metadata.set("created_at",
                      options.created_at.empty() ? formats::embd::kNoDate : options.created_at);
  target.metadata.set("sif_coefficient", io::Json(options.sif).dump());
  model::set_tokenizer_metadata(*target.tokenizer, target.metadata);
  target.metadata = formats::embd::with_code_keys_first(std::move(target.metadata));
  const uint64_t n_rows = kept.size();
  target.tensors.push_back(model::new_tensor(model::kStaticRows, options.dtype, {n_rows, dim}));
  if (options.dtype == DType::I8) {
    target.tensors.push_back(model::new_tensor(model::kStaticRowScale, DType::F32, {n_rows}));
  }
  AMBRY_TRY(const Contents contents, contents_of(rows, dim, options.dtype));
  AMBRY_TRY(const model::FileLayout layout, formats::embd::lay_out(target));
  return assemble(layout, contents);
}

}  // namespace ambry::distill
