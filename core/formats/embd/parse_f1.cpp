#include <algorithm>
#include <string>

#include "formats/embd/embd_layout.h"
#include "formats/embd/embd_parse.h"
#include "io/byte_reader.h"
#include "io/limits.h"
#include "model/file/tensor_table.h"
#include "model/tokenizer/tokenizer_metadata.h"

namespace ambry::formats::embd {
namespace {

using model::LinearLayout;

// The name and shape of an ordinary tensor, so that one request for each tensor is enough.
constexpr uint64_t kUsualTensorHeader = 256;
// Name length, one byte of name, ndim, one dimension, one float.
constexpr uint64_t kMinTensorBytes = 17;

class Parser {
 public:
  Parser(const io::Source& source, io::Diagnostics& diagnostics, const model::ReadOptions& options)
      : source_(source),
        reader_(source, kVersionAt),
        diagnostics_(diagnostics),
        options_(options) {}

  Result<model::Model> parse() {
    AMBRY_RETURN_IF_ERROR(read_tensors());
    AMBRY_RETURN_IF_ERROR(read_vocabulary());
    if (options_.vocabulary) AMBRY_RETURN_IF_ERROR(reader_.expect_end());
    model::check_names_unique(model_.tensors, diagnostics_);
    AMBRY_TRY(model_.linear_layout, find_orientation());
    model_.format = "embd";
    model_.version = "F1";
    model_.file_bytes = source_.size();
    return std::move(model_);
  }

 private:
  Result<void> read_tensors() {
    AMBRY_TRY(const auto version, reader_.read<uint32_t>("header.version"));
    if (version != kF1Version) {
      return error_at(ErrorCode::UnsupportedVersion, kVersionAt, "header.version",
                      {"version ", version, ", supported is 1"});
    }
    const uint64_t count_at = reader_.position();
    AMBRY_TRY(const auto count, reader_.read<uint32_t>("header.tensor_count"));
    AMBRY_RETURN_IF_ERROR(
        reader_.check_count(count, kMinTensorBytes, "header.tensor_count", count_at));
    if (count > io::kMaxTensors) {
      return error_at(ErrorCode::LimitExceeded, count_at, "header.tensor_count",
                      {count, " tensors, at most ", io::kMaxTensors});
    }
    // The first pass stores nothing: a table entry takes more memory than the 17 bytes that a false
    // count needs.
    const uint64_t start = reader_.position();
    for (const bool keep : {false, true}) {
      reader_.seek(start);
      if (keep) {
        model_.tensors.reserve(count);
        model_.regions = {{"header", 0, kF1HeaderBytes}};
      }
      for (uint32_t i = 0; i < count; ++i) {
        const auto scope = reader_.enter("tensors", i);
        AMBRY_TRY(model::TensorEntry tensor, read_tensor());
        if (!keep) continue;
        model_.regions.push_back(
            {"record header", tensor.index_offset, tensor.offset - tensor.index_offset});
        model_.tensors.push_back(std::move(tensor));
      }
    }
    return {};
  }

  Result<model::TensorEntry> read_tensor() {
    const uint64_t start = reader_.position();
    const uint64_t usual = std::min(kUsualTensorHeader, reader_.remaining());
    AMBRY_RETURN_IF_ERROR(source_.view(start, usual, "tensors"));
    model::TensorEntry tensor;
    tensor.index_offset = start;
    AMBRY_TRY(const auto name_length, read_length("name_length"));
    if (name_length == 0) {
      return reader_.fail(ErrorCode::BadValue, start, "name_length", "an empty name");
    }
    if (name_length > io::kMaxTensorNameBytes) {
      return reader_.fail(ErrorCode::LimitExceeded, start, "name_length",
                          {name_length, " bytes, at most ", io::kMaxTensorNameBytes});
    }
    AMBRY_TRY(const auto name, reader_.read_utf8(name_length, "name"));
    if (const size_t nul = name.find('\0'); nul != std::string_view::npos) {
      return reader_.fail(ErrorCode::BadValue, start + sizeof(uint32_t) + nul, "name",
                          "a NUL byte in the name");
    }
    tensor.name = name;
    AMBRY_RETURN_IF_ERROR(read_shape(tensor));
    tensor.offset = reader_.position();
    AMBRY_RETURN_IF_ERROR(reader_.skip(tensor.bytes, "data"));
    return tensor;
  }

  // Reads a string's length, which is at most 1 MiB.
  Result<uint32_t> read_length(const char* field) {
    const uint64_t at = reader_.position();
    AMBRY_TRY(const auto length, reader_.read<uint32_t>(field));
    if (length > kF1MaxString) {
      return reader_.fail(ErrorCode::LimitExceeded, at, field, {length, " bytes, at most 1 MiB"});
    }
    return length;
  }

  Result<void> read_shape(model::TensorEntry& tensor) {
    const uint64_t rank_at = reader_.position();
    AMBRY_TRY(const auto rank, reader_.read<uint32_t>("ndim"));
    if (rank == 0 || rank > kMaxRank) {
      return reader_.fail(ErrorCode::BadValue, rank_at, "ndim",
                          {rank, " dimensions, allowed are 1 to 4"});
    }
    for (uint32_t axis = 0; axis < rank; ++axis) {
      const uint64_t at = reader_.position();
      const char* field = kShapeFields[axis];
      AMBRY_TRY(const auto extent, reader_.read<uint32_t>(field));
      if (extent == 0) return reader_.fail(ErrorCode::BadValue, at, field, "a dimension of size 0");
      tensor.shape.push_back(extent);
    }
    const auto bytes = model::byte_size(tensor.shape, tensor.dtype);
    if (!bytes) {
      return reader_.fail(ErrorCode::Overflow, rank_at + 4, "shape", "the size passes 64 bits");
    }
    tensor.bytes = *bytes;
    return {};
  }

  Result<void> read_vocabulary() {
    const uint64_t count_at = reader_.position();
    AMBRY_TRY(const auto count, reader_.read<uint32_t>("vocabulary.token_count"));
    if (count == 0) {
      model_.regions.push_back({"vocabulary", count_at, sizeof(uint32_t)});
      return {};
    }
    AMBRY_RETURN_IF_ERROR(
        reader_.check_count(count, sizeof(uint32_t), "vocabulary.token_count", count_at));
    const uint64_t rest = reader_.remaining();
    model_.regions.push_back({"vocabulary", count_at, rest + sizeof(uint32_t)});
    if (count > kF1MaxTokens || rest > io::kMaxVocabularyBytes) {
      return error_at(ErrorCode::LimitExceeded, count_at, "vocabulary.token_count",
                      {count, " tokens in ", rest, " bytes, at most 100000 tokens in 64 MiB"});
    }
    model::TokenizerData& tokenizer = model_.tokenizer.emplace();
    if (!options_.vocabulary) {
      tokenizer.n_tokens = count;
      return {};
    }
    AMBRY_RETURN_IF_ERROR(source_.view(reader_.position(), rest, "vocabulary"));
    tokenizer.vocabulary.reserve(count, static_cast<size_t>(rest - count * sizeof(uint32_t)));
    for (uint32_t id = 0; id < count; ++id) {
      const auto scope = reader_.enter("vocabulary", id);
      AMBRY_TRY(const auto length, read_length("token_length"));
      AMBRY_TRY(const auto token, reader_.read_utf8(length, "token"));
      tokenizer.vocabulary.push_back(token);
    }
    return model::read_tokenizer_metadata(model_.metadata, tokenizer);
  }

  // The first converter stored linear weights as [out, in], all later ones as [in, out]. Only a
  // matrix that is not square shows which it is.
  Result<LinearLayout> find_orientation() {
    const model::TensorEntry* dense = model_.find("encoder.layer.0.intermediate.dense.weight");
    const model::TensorEntry* norm = model_.find("embeddings.LayerNorm.weight");
    if (dense == nullptr || norm == nullptr || dense->shape.rank() != 2 ||
        norm->shape.rank() != 1) {
      warn_guess(kNoOffset, "no intermediate.dense.weight to tell the orientation from");
      return LinearLayout::InOut;
    }
    const uint64_t hidden = norm->shape[0];
    const bool first_is_hidden = dense->shape[0] == hidden;
    const bool second_is_hidden = dense->shape[1] == hidden;
    if (first_is_hidden && second_is_hidden) {
      warn_guess(dense->index_offset, "every linear weight is square");
      return LinearLayout::InOut;
    }
    if (first_is_hidden) return LinearLayout::InOut;
    if (second_is_hidden) return LinearLayout::OutIn;
    return error_at(ErrorCode::Mismatch, dense->index_offset, dense->name,
                    {to_string(dense->shape), " has no side of the model's width ", hidden});
  }

  void warn_guess(uint64_t offset, std::string_view reason) {
    diagnostics_.warn(error_at(ErrorCode::BadValue, offset, "linear_layout",
                               {reason, "; assuming [in, out] as the usual converter writes"}));
  }

  const io::Source& source_;
  io::ByteReader reader_;
  io::Diagnostics& diagnostics_;
  const model::ReadOptions& options_;
  model::Model model_;
};

}  // namespace

Result<model::Model> parse_f1(const io::Source& source, io::Diagnostics& diagnostics,
                              const model::ReadOptions& options) {
  return Parser(source, diagnostics, options).parse();
}

}  // namespace ambry::formats::embd
