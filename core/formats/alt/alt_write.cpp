#include "formats/alt/alt_write.h"

#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/checked.h"
#include "formats/alt/alt_layout.h"
#include "formats/alt/token_types.h"
#include "io/byte_writer.h"
#include "io/limits.h"
#include "model/file/tensor_table.h"

namespace ambry::formats::alt {
namespace {

using io::ByteWriter;
using io::Json;

constexpr auto kMaxInt = static_cast<uint64_t>(std::numeric_limits<int32_t>::max());

class HeadWriter {
 public:
  explicit HeadWriter(const model::Model& model) : model_(model) {}

  Result<void> write_v1() {
    out_.put_text(kMagicV1);
    out_.align(kAlignment);
    const uint64_t parameters = begin(Section::Parameters);
    AMBRY_RETURN_IF_ERROR(put_text("model_type", model_.config));
    for (const char* key : {"hidden_size", "num_hidden_layers", "intermediate_size",
                            "num_attention_heads", "num_key_value_heads", "sliding_window"}) {
      AMBRY_RETURN_IF_ERROR(put_int(key));
    }
    AMBRY_RETURN_IF_ERROR(put_float("rope_theta"));
    AMBRY_RETURN_IF_ERROR(put_float("rms_norm_eps"));
    AMBRY_RETURN_IF_ERROR(put_int("head_size"));
    AMBRY_TRY(const int32_t data_type, data_type_of_matrices());
    out_.put(data_type);
    AMBRY_RETURN_IF_ERROR(put_int(model_.config.find("context_length") != nullptr
                                      ? "context_length"
                                      : "max_position_embeddings"));
    end(parameters);
    return put_tokenizer(Version::V1);
  }

  Result<void> write_v2() {
    out_.put(kStartV2);
    out_.put(kStartSizeV2);
    out_.put(kVersionV2);
    out_.put(static_cast<int32_t>(kAlignment));
    out_.align(kAlignment);
    const uint64_t general = begin(Section::General);
    for (const char* key : kGeneralFields) AMBRY_RETURN_IF_ERROR(put_text(key, model_.metadata));
    end(general);
    const uint64_t parameters = begin(Section::Parameters);
    AMBRY_RETURN_IF_ERROR(put_text("hidden_act", model_.config));
    const Json* tied = model_.config.find("tie_word_embeddings");
    out_.put(static_cast<uint8_t>(tied != nullptr && tied->is_bool() && tied->boolean() ? 1 : 0));
    for (const char* key :
         {"hidden_size", "intermediate_size", "max_position_embeddings", "num_attention_heads",
          "num_hidden_layers", "num_key_value_heads", "sliding_window", "head_size"}) {
      AMBRY_RETURN_IF_ERROR(put_int(key));
    }
    for (const char* key : {"rms_norm_eps", "rope_theta", "initializer_range"}) {
      AMBRY_RETURN_IF_ERROR(put_float(key));
    }
    end(parameters);
    return put_tokenizer(Version::V2);
  }

  [[nodiscard]] std::vector<uint8_t> take() { return out_.take(); }

 private:
  uint64_t begin(Section section) {
    out_.put(uint64_t{facts(section).marker});
    out_.put(int64_t{0});
    return out_.position();
  }
  // The size counts only the fields (README.md#section-sizes).
  void end(uint64_t body) {
    out_.put_at(body - sizeof(int64_t), static_cast<int64_t>(out_.position() - body));
    out_.align(kAlignment);
  }

  static Failure missing(const char* key) {
    return make_error(ErrorCode::NotFound, {"config.", key}, "ALT needs this fact");
  }

  Result<void> put_text(const char* key, const Json& from) {
    const Json* value = from.find(key);
    if (value == nullptr) return missing(key);
    if (!value->is_string() || value->string().size() > kMaxTextBytes) {
      return make_error(ErrorCode::BadValue, key, "not a text of at most 1 MiB");
    }
    out_.put(static_cast<int32_t>(value->string().size()));
    out_.put_text(value->string());
    return {};
  }

  // Negative values are kept: they are as wrong in the new file as in the old one.
  Result<void> put_int(const char* key) {
    const Json* value = model_.config.find(key);
    if (value == nullptr) return missing(key);
    if (value->is_uint() && value->uint() <= kMaxInt) {
      out_.put(static_cast<int32_t>(value->uint()));
      return {};
    }
    if (value->kind() == Json::Kind::Int &&
        value->integer() >= std::numeric_limits<int32_t>::min()) {
      out_.put(static_cast<int32_t>(value->integer()));
      return {};
    }
    return make_error(ErrorCode::BadValue, {"config.", key}, "not a whole number of 32 bits");
  }

  Result<void> put_float(const char* key) {
    const Json* value = model_.config.find(key);
    if (value == nullptr) return missing(key);
    if (!value->is_number()) {
      return make_error(ErrorCode::BadValue, {"config.", key}, "not a number");
    }
    out_.put(static_cast<float>(value->number()));
    return {};
  }

  // The type in the parameters, if a matrix has it; else the type of the first matrix.
  Result<int32_t> data_type_of_matrices() const {
    const Json* stated = model_.config.find("data_type");
    const uint64_t wanted = stated != nullptr && stated->is_uint() ? stated->uint() : 0;
    std::optional<int32_t> first;
    for (const model::TensorEntry& tensor : model_.tensors) {
      const auto code = code_of(tensor.dtype);
      if (tensor.shape.rank() != 2 || !code) continue;
      if (wanted == static_cast<uint64_t>(*code)) return *code;
      if (!first) first = code;
    }
    if (first) return *first;
    return wanted < kDataTypes.size() ? static_cast<int32_t>(wanted) : *code_of(tensor::DType::F32);
  }

  Result<void> put_tokenizer(Version version) {
    if (!model_.tokenizer) {
      return make_error(ErrorCode::NotFound, "tokenizer", "ALT needs a vocabulary");
    }
    const model::TokenizerData& tokenizer = *model_.tokenizer;
    const size_t count = tokenizer.vocabulary.size();
    if (tokenizer.kind != model::TokenizerKind::SentencePieceBpe) {
      return make_error(ErrorCode::Unsupported, "tokenizer",
                        {"ALT holds SentencePiece BPE, not ", tokenizer_kind_name(tokenizer.kind)});
    }
    if (count == 0 ||
        tokenizer.vocabulary.text_bytes() + count * kTokenBytesV2 > io::kMaxVocabularyBytes) {
      return make_error(ErrorCode::LimitExceeded, "tokenizer", "no tokens, or more than 64 MiB");
    }
    if (version == Version::V2 &&
        (tokenizer.scores.size() != count || tokenizer.types.size() != count)) {
      return make_error(ErrorCode::Unsupported, "tokenizer",
                        "ALT v2 stores scores and types, which the vocabulary does not have");
    }
    AMBRY_TRY(const std::vector<uint32_t> order, order_of_ids(tokenizer));
    const uint64_t body = begin(Section::Tokenizer);
    out_.put(static_cast<int32_t>(count));
    for (const auto& id :
         {tokenizer.bos_id, tokenizer.eos_id, tokenizer.pad_id, tokenizer.unk_id}) {
      out_.put(id ? static_cast<int32_t>(*id) : -1);
    }
    for (uint32_t id = 0; id < count; ++id) {
      const size_t at = order.empty() ? id : order[id];
      if (version == Version::V2) {
        out_.put(tokenizer.scores[at]);
        out_.put(file_type(tokenizer.types[at]));
        out_.put(static_cast<int32_t>(id));
      }
      out_.put(static_cast<int32_t>(tokenizer.vocabulary[at].size()));
      out_.put_text(tokenizer.vocabulary[at]);
    }
    end(body);
    return {};
  }

  // The position of each id's token. Empty if the vocabulary is already in order.
  static Result<std::vector<uint32_t>> order_of_ids(const model::TokenizerData& tokenizer) {
    std::vector<uint32_t> order;
    if (tokenizer.ids.empty()) return order;
    const size_t count = tokenizer.vocabulary.size();
    order.assign(count, UINT32_MAX);
    for (size_t i = 0; i < tokenizer.ids.size(); ++i) {
      const uint32_t id = tokenizer.ids[i];
      if (id >= count || i >= count || order[id] != UINT32_MAX) {
        return make_error(ErrorCode::Unsupported, "tokenizer",
                          {"ALT needs the ids from 0 on without holes, not ", id});
      }
      order[id] = static_cast<uint32_t>(i);
    }
    return order;
  }

  const model::Model& model_;
  ByteWriter out_;
};

uint64_t record_bytes(const model::TensorEntry& tensor) {
  return kTensorHeaderBytes + 4 * tensor.shape.rank() + tensor.name.size();
}

Result<void> check_tensor(const model::TensorEntry& tensor) {
  if (!code_of(tensor.dtype)) {
    return make_error(
        ErrorCode::Unsupported, tensor.name,
        {"ALT cannot store ", dtype_name(tensor.dtype), "; convert it to f32 or f16"});
  }
  if (tensor.shape.rank() == 0) {
    return make_error(ErrorCode::Unsupported, tensor.name, "ALT stores 1 to 8 dimensions");
  }
  for (const uint64_t extent : tensor.shape.extents()) {
    if (extent != 0 && extent <= kMaxInt) continue;
    return make_error(ErrorCode::Unsupported, tensor.name,
                      {"ALT cannot hold the shape ", to_string(tensor.shape)});
  }
  if (tensor.dtype == tensor::DType::Q8_0 &&
      tensor.shape[tensor.shape.rank() - 1] % kQint8Block != 0) {
    return make_error(ErrorCode::Unsupported, tensor.name,
                      {to_string(tensor.shape), " does not divide into blocks of 32"});
  }
  if (tensor.name.empty() || tensor.name.size() > kMaxTensorName) {
    return make_error(ErrorCode::BadValue, "tensors", "a name of no or more than 65536 bytes");
  }
  return {};
}

// The bytes of the section without its header. Sets the tensors' sizes.
Result<uint64_t> size_of_tensors(std::vector<model::TensorEntry>& tensors) {
  uint64_t size = kTensorCountsBytes;
  for (model::TensorEntry& tensor : tensors) {
    AMBRY_RETURN_IF_ERROR(check_tensor(tensor));
    const auto bytes = model::byte_size(tensor.shape, tensor.dtype);
    const auto with_record = bytes ? checked_add(*bytes, record_bytes(tensor)) : std::nullopt;
    const auto sum = with_record ? checked_add(size, *with_record) : std::nullopt;
    if (!sum || *sum > static_cast<uint64_t>(INT64_MAX) / 2) {
      return make_error(ErrorCode::Overflow, tensor.name, "the size passes 63 bits");
    }
    tensor.bytes = *bytes;
    size = *sum;
  }
  return size;
}

void put_record(const model::TensorEntry& tensor, ByteWriter& out) {
  out.put(static_cast<int32_t>(tensor.shape.rank()));
  out.put(static_cast<int32_t>(tensor.name.size()));
  out.put(*code_of(tensor.dtype));
  for (const uint64_t extent : tensor.shape.extents()) out.put(static_cast<int32_t>(extent));
  out.put_text(tensor.name);
}

Result<void> add_tensors(std::vector<model::TensorEntry>& tensors, model::FileLayout& layout) {
  AMBRY_TRY(const uint64_t size, size_of_tensors(tensors));
  uint64_t n_extents = 0;
  for (const model::TensorEntry& tensor : tensors) n_extents += tensor.shape.rank();
  ByteWriter out;
  out.put(uint64_t{facts(Section::Tensors).marker});
  out.put(size);
  out.put(uint64_t{tensors.size()});
  out.put(n_extents);
  for (size_t i = 0; i < tensors.size(); ++i) {
    tensors[i].index_offset = layout.total_bytes + out.position();
    put_record(tensors[i], out);
    layout.add_bytes(out.take());
    tensors[i].offset = layout.total_bytes;
    layout.add_tensor(i, tensors[i].bytes);
  }
  layout.add_zeros((kAlignment - layout.total_bytes % kAlignment) % kAlignment);
  return {};
}

}  // namespace

Result<model::FileLayout> lay_out(model::Model& model) {
  const bool v2 = model.format == "alt" && model.version == "v2";
  if (v2 && !model.tensors.empty()) {
    return make_error(ErrorCode::Unsupported, "tensors",
                      "tensors of ALT v2, whose numbers no document assigns; write v1");
  }
  if (model.tensors.size() > io::kMaxTensors) {
    return make_error(ErrorCode::LimitExceeded, "tensors", "too many tensors");
  }
  HeadWriter head(model);
  AMBRY_RETURN_IF_ERROR(v2 ? head.write_v2() : head.write_v1());
  model::FileLayout layout;
  layout.add_bytes(head.take());
  if (!model.tensors.empty()) AMBRY_RETURN_IF_ERROR(add_tensors(model.tensors, layout));
  ByteWriter end;
  end.put(facts(Section::End).marker);
  if (v2) end.put(uint32_t{0});
  layout.add_bytes(end.take());
  model.file_bytes = layout.total_bytes;
  return layout;
}

}  // namespace ambry::formats::alt
