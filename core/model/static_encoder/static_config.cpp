#include "model/static_encoder/static_config.h"

#include <algorithm>
#include <vector>

#include "base/order.h"
#include "model/metadata/metadata_value.h"
#include "tensor/dtype/dtype_table.h"

namespace ambry::model {
namespace {

using tensor::DType;
using tensor::Shape;

const TensorEntry* find(const Model& model, std::string_view name) {
  const auto found = std::ranges::find(model.tensors, name, &TensorEntry::name);
  return found == model.tensors.end() ? nullptr : &*found;
}

Failure tensor_error(const TensorEntry& tensor, ErrorCode code, const Text& message) {
  return error_at(code, tensor.index_offset, tensor.name, message);
}

bool is_mapping_type(DType dtype) {
  return dtype == DType::I32 || dtype == DType::U32 || dtype == DType::U16 || dtype == DType::I16 ||
         dtype == DType::U8;
}

Result<void> read_rows(const Model& model, StaticConfig& config) {
  const TensorEntry* rows = find(model, kStaticRows);
  if (rows == nullptr) {
    return make_error(ErrorCode::NotFound, kStaticRows, "the model has no such tensor");
  }
  if (rows->shape.rank() != 2 || rows->shape[0] == 0 || rows->shape[1] == 0 ||
      rows->shape[0] > UINT32_MAX || rows->shape[1] > UINT16_MAX) {
    return tensor_error(*rows, ErrorCode::Mismatch,
                        {"shape is ", to_string(rows->shape), ", expected [rows, dimensions]"});
  }
  if (!tensor::is_float(rows->dtype) && rows->dtype != DType::I8) {
    return tensor_error(
        *rows, ErrorCode::Unsupported,
        {"rows of ", dtype_name(rows->dtype), " are not supported; f32, f16, bf16 and i8 are"});
  }
  config.n_rows = static_cast<uint32_t>(rows->shape[0]);
  config.embedding_dim = static_cast<uint32_t>(rows->shape[1]);
  return {};
}

Result<void> check_scale(const Model& model, const StaticConfig& config) {
  const TensorEntry* scale = find(model, kStaticRowScale);
  if (scale == nullptr) return {};
  if (!tensor::is_float(scale->dtype)) {
    return tensor_error(*scale, ErrorCode::Unsupported,
                        {"is ", dtype_name(scale->dtype), ", expected f32"});
  }
  if (scale->shape == Shape{1} || scale->shape == Shape{config.n_rows}) return {};
  return tensor_error(
      *scale, ErrorCode::Mismatch,
      {"shape is ", to_string(scale->shape), ", expected [1] or [", config.n_rows, "]"});
}

// A tensor with one value for each token, if it is there.
Result<void> check_per_token(const TensorEntry* tensor, const StaticConfig& config, bool is_type) {
  if (tensor == nullptr) return {};
  if (!is_type) {
    return tensor_error(*tensor, ErrorCode::Unsupported,
                        {dtype_name(tensor->dtype), " is not supported here"});
  }
  if (tensor->shape == Shape{config.vocab_size}) return {};
  return tensor_error(
      *tensor, ErrorCode::Mismatch,
      {"shape is ", to_string(tensor->shape), ", but there are ", config.vocab_size, " tokens"});
}

Result<void> check_tensors(const Model& model, const StaticConfig& config) {
  AMBRY_RETURN_IF_ERROR(check_scale(model, config));
  const TensorEntry* weights = find(model, kStaticWeights);
  AMBRY_RETURN_IF_ERROR(
      check_per_token(weights, config, weights != nullptr && tensor::is_float(weights->dtype)));
  const TensorEntry* mapping = find(model, kStaticMapping);
  AMBRY_RETURN_IF_ERROR(
      check_per_token(mapping, config, mapping != nullptr && is_mapping_type(mapping->dtype)));
  if (mapping != nullptr || config.vocab_size <= config.n_rows) return {};
  return tensor_error(*find(model, kStaticRows), ErrorCode::Mismatch,
                      {config.n_rows, " rows, but the vocabulary has ", config.vocab_size,
                       " tokens, and no mapping says which rows they share"});
}

Result<void> read_facts(const io::Json& metadata, StaticConfig& config) {
  uint32_t dim = config.embedding_dim;
  config.max_seq_length = 0;
  AMBRY_RETURN_IF_ERROR(
      read_values(metadata, {{"vocab_size", config.vocab_size},
                             {"embedding_dim", dim},
                             {"normalize", config.normalize},
                             {"drop_unknown", config.drop_unknown},
                             {"max_seq_length", config.max_seq_length},
                             {"median_token_length", config.median_token_length},
                             {"tokenizer_max_length", config.tokenizer_max_length}}));
  if (dim != config.embedding_dim) {
    return metadata_error(metadata, "embedding_dim", ErrorCode::Mismatch,
                          {dim, ", but the rows have ", config.embedding_dim, " values"});
  }
  return read_prompts(metadata, config.prompts, config.default_prompt_name);
}

// WordPiece's vocabulary has all ids. Those of added tokens may follow the vocabulary of other
// kinds, so there the vectors tell how many ids there are.
bool lists_all_ids(const Model& model) {
  return model.tokenizer && model.tokenizer->kind == TokenizerKind::WordPiece;
}

uint32_t usual_vocab_size(const Model& model, uint32_t n_rows) {
  if (lists_all_ids(model)) return static_cast<uint32_t>(model.tokenizer->token_count());
  const TensorEntry* mapping = find(model, kStaticMapping);
  const bool maps = mapping != nullptr && mapping->shape.rank() == 1;
  const uint64_t n_tokens = model.tokenizer ? model.tokenizer->token_count() : 0;
  const uint64_t n_ids = std::max<uint64_t>(maps ? mapping->shape[0] : n_rows, n_tokens);
  return static_cast<uint32_t>(std::min<uint64_t>(n_ids, UINT32_MAX));
}

Result<void> check_vocab_size(const Model& model, const StaticConfig& config) {
  if (!model.tokenizer) return {};
  const uint64_t n_tokens = model.tokenizer->token_count();
  const bool fits =
      lists_all_ids(model) ? config.vocab_size == n_tokens : config.vocab_size >= n_tokens;
  if (fits) return {};
  return metadata_error(model.metadata, "vocab_size", ErrorCode::Mismatch,
                        {config.vocab_size, ", but the vocabulary has ", n_tokens, " tokens"});
}

}  // namespace

bool is_static(const Model& model) {
  return metadata_text(model.metadata, kArchitectureKey) == kStaticArchitecture;
}

Result<StaticConfig> static_config(const Model& model) {
  StaticConfig config;
  AMBRY_RETURN_IF_ERROR(read_rows(model, config));
  config.vocab_size = usual_vocab_size(model, config.n_rows);
  AMBRY_RETURN_IF_ERROR(read_facts(model.metadata, config));
  AMBRY_RETURN_IF_ERROR(check_vocab_size(model, config));
  AMBRY_RETURN_IF_ERROR(check_tensors(model, config));
  return config;
}

Result<StaticConfig> static_config(const Model& model, io::Diagnostics& diagnostics) {
  auto config = static_config(model);
  for (const TensorEntry& tensor : model.tensors) {
    const bool known = tensor.name == kStaticRows || tensor.name == kStaticRowScale ||
                       tensor.name == kStaticWeights || tensor.name == kStaticMapping;
    if (known) continue;
    diagnostics.warn(tensor_error(tensor, ErrorCode::Unsupported,
                                  "this tensor does not belong to a static model"));
  }
  return config;
}

void set_static_metadata(const StaticConfig& config, io::Json& metadata) {
  const auto flag = [](bool value) { return value ? "true" : "false"; };
  metadata.set(kArchitectureKey, kStaticArchitecture);
  metadata.set("embedding_dim", concat({config.embedding_dim}));
  metadata.set("vocab_size", concat({config.vocab_size}));
  metadata.set("normalize", flag(config.normalize));
  metadata.set("drop_unknown", flag(config.drop_unknown));
  const auto set_unless_zero = [&](const char* key, uint32_t value) {
    if (value != 0) metadata.set(key, concat({value}));
  };
  set_unless_zero("max_seq_length", config.max_seq_length);
  set_unless_zero("median_token_length", config.median_token_length);
  set_unless_zero("tokenizer_max_length", config.tokenizer_max_length);
  set_prompts(config.prompts, config.default_prompt_name, metadata);
}

void apply_static_rules(Model& model) {
  if (model.tokenizer) {
    using Kind = TemplatePart::Kind;
    model.tokenizer->post_processor =
        PostProcessor{{{Kind::First, 0, {}}}, {{Kind::First, 0, {}}, {Kind::Second, 1, {}}}};
  }
  const TensorEntry* rows = find(model, kStaticRows);
  for (TensorEntry& tensor : model.tensors) {
    const bool is_mapping = tensor.name == kStaticMapping && is_mapping_type(tensor.dtype);
    if (!is_mapping || rows == nullptr || rows->shape.rank() == 0) continue;
    tensor.value_limit = static_cast<uint32_t>(std::min<uint64_t>(rows->shape[0], UINT32_MAX));
  }
}

uint32_t median_token_length(const Vocabulary& vocabulary) {
  std::vector<uint32_t> lengths;
  for (size_t id = 0; id < vocabulary.size(); ++id) {
    const auto starts = [](char c) { return (static_cast<uint8_t>(c) & 0xC0U) != 0x80U; };
    lengths.push_back(static_cast<uint32_t>(std::ranges::count_if(vocabulary[id], starts)));
  }
  if (lengths.empty()) return 0;
  sort_items(lengths, [](uint32_t a, uint32_t b) { return a < b; });
  const size_t middle = lengths.size() / 2;
  return lengths.size() % 2 == 1 ? lengths[middle] : (lengths[middle - 1] + lengths[middle]) / 2;
}

}  // namespace ambry::model
