#include "model/tokenizer/files/sentencepiece_model.h"

#include <bit>
#include <string>
#include <utility>

#include "base/utf8.h"
#include "io/protobuf/protobuf_reader.h"
#include "io/protobuf/protobuf_writer.h"

namespace ambry::model {
namespace {

using io::ProtobufField;
using io::ProtobufReader;
using io::ProtobufWriter;

// Far above any real vocabulary. A piece takes more memory than its few bytes in the file.
constexpr size_t kMaxPieces = 1'000'000;
constexpr uint8_t kNormal = 1;
constexpr uint8_t kMaxType = 6;

// Field numbers of ModelProto and its parts.
enum Field : uint32_t {
  kPieces = 1,
  kTrainerSpec = 2,
  kNormalizerSpec = 3,
  kDenormalizerSpec = 5,
  kPieceText = 1,
  kPieceScore = 2,
  kPieceType = 3,
  kModelType = 3,
  kWhitespaceAsSuffix = 24,
  kByteFallback = 35,
  kUnkId = 40,
  kBosId = 41,
  kEosId = 42,
  kPadId = 43,
  kUnkSurface = 44,
  kNormalizerName = 1,
  kCharsmap = 2,
  kAddDummyPrefix = 3,
  kRemoveExtraWhitespaces = 4,
  kEscapeWhitespaces = 5,
};

// Calls `use(field)` with every field of a message.
template <class Use>
Result<void> for_each_field(Bytes bytes, uint64_t offset, std::string_view path, const Use& use) {
  ProtobufReader reader(bytes, offset, path);
  for (;;) {
    AMBRY_TRY(const std::optional<ProtobufField> field, reader.next());
    if (!field) return {};
    AMBRY_RETURN_IF_ERROR(use(*field));
  }
}

class Parser {
 public:
  Parser(Bytes bytes, uint64_t offset, std::string_view path)
      : bytes_(bytes), offset_(offset), path_(path) {}

  Result<SentencePieceModel> parse() {
    AMBRY_RETURN_IF_ERROR(reserve());
    AMBRY_RETURN_IF_ERROR(for_each_field(
        bytes_, offset_, path_, [&](const ProtobufField& field) { return read_part(field); }));
    return std::move(model_);
  }

 private:
  // Reserves the exact size, so that growing never doubles the memory.
  Result<void> reserve() {
    size_t n_pieces = 0;
    size_t n_bytes = 0;
    AMBRY_RETURN_IF_ERROR(
        for_each_field(bytes_, offset_, path_, [&](const ProtobufField& field) -> Result<void> {
          if (!field.is_bytes(kPieces)) return {};
          ++n_pieces;
          n_bytes += field.bytes.size();
          return {};
        }));
    if (n_pieces == 0) {
      return error_at(ErrorCode::NotFound, offset_, path_,
                      "there are no pieces; this is not a SentencePiece model");
    }
    if (n_pieces > kMaxPieces) {
      return error_at(ErrorCode::LimitExceeded, offset_, path_,
                      {n_pieces, " pieces, but at most ", kMaxPieces, " are supported"});
    }
    model_.pieces.reserve(n_pieces, n_bytes);
    model_.scores.reserve(n_pieces);
    model_.types.reserve(n_pieces);
    return {};
  }

  Result<void> read_part(const ProtobufField& field) {
    if (field.is_bytes(kPieces)) return read_piece(field);
    const auto read_with = [&](const char* name, auto read) {
      const std::string path = concat({path_, ".", name});
      return for_each_field(field.bytes, field.bytes_offset, path,
                            [&](const ProtobufField& inner) { return read(inner, path); });
    };
    if (field.is_bytes(kTrainerSpec)) {
      return read_with("trainer_spec", [&](const ProtobufField& inner, const std::string& path) {
        return read_trainer(inner, path);
      });
    }
    if (field.is_bytes(kNormalizerSpec)) {
      return read_with("normalizer_spec", [&](const ProtobufField& inner, const std::string&) {
        return read_normalizer(inner);
      });
    }
    if (field.is_bytes(kDenormalizerSpec)) {
      return read_with("denormalizer_spec",
                       [&](const ProtobufField& inner, const std::string&) -> Result<void> {
                         if (inner.is_bytes(kCharsmap)) {
                           model_.denormalizer_charsmap = inner.text();
                         }
                         return {};
                       });
    }
    return {};
  }

  Result<void> read_piece(const ProtobufField& field) {
    const std::string path = concat({path_, ".pieces[", model_.pieces.size(), "]"});
    std::string_view text;
    float score = 0;
    uint64_t type = kNormal;
    AMBRY_RETURN_IF_ERROR(for_each_field(
        field.bytes, field.bytes_offset, path, [&](const ProtobufField& inner) -> Result<void> {
          if (inner.is_bytes(kPieceText)) text = inner.text();
          if (inner.is_fixed32(kPieceScore)) {
            score = std::bit_cast<float>(static_cast<uint32_t>(inner.value));
          }
          if (inner.is_varint(kPieceType)) type = inner.value;
          return {};
        }));
    if (text.empty())
      return error_at(ErrorCode::BadValue, field.offset, path, "the piece is empty");
    if (find_invalid_utf8(text)) {
      return error_at(ErrorCode::BadValue, field.offset, path, "not valid UTF-8");
    }
    if (type == 0 || type > kMaxType) {
      return error_at(ErrorCode::BadValue, field.offset, {path, ".type"},
                      {"unknown piece type ", type, "; known types are 1 to 6"});
    }
    model_.pieces.push_back(text);
    model_.scores.push_back(score);
    model_.types.push_back(static_cast<uint8_t>(type));
    return {};
  }

  Result<void> read_trainer(const ProtobufField& field, const std::string& path) {
    if (field.is_bytes(kUnkSurface)) model_.unk_surface = field.text();
    if (field.is_varint(kModelType)) {
      if (field.value == 0 || field.value > 4) {
        return error_at(ErrorCode::BadValue, field.offset, {path, ".model_type"},
                        {"unknown model type ", field.value, "; known types are 1 to 4"});
      }
      model_.type = static_cast<SentencePieceModel::Type>(field.value);
    }
    if (field.is_varint(kWhitespaceAsSuffix)) model_.treat_whitespace_as_suffix = field.value != 0;
    if (field.is_varint(kByteFallback)) model_.byte_fallback = field.value != 0;
    read_id(field, kUnkId, model_.unk_id);
    read_id(field, kBosId, model_.bos_id);
    read_id(field, kEosId, model_.eos_id);
    read_id(field, kPadId, model_.pad_id);
    return {};
  }

  // The id is signed in the file; a negative one means that there is none.
  static void read_id(const ProtobufField& field, uint32_t number, std::optional<uint32_t>& out) {
    if (!field.is_varint(number)) return;
    out.reset();
    if (field.value <= INT32_MAX) out = static_cast<uint32_t>(field.value);
  }

  Result<void> read_normalizer(const ProtobufField& field) {
    if (field.is_bytes(kNormalizerName)) model_.normalizer = field.text();
    if (field.is_bytes(kCharsmap)) model_.charsmap = field.text();
    if (field.is_varint(kAddDummyPrefix)) model_.add_dummy_prefix = field.value != 0;
    if (field.is_varint(kRemoveExtraWhitespaces)) {
      model_.remove_extra_whitespaces = field.value != 0;
    }
    if (field.is_varint(kEscapeWhitespaces)) model_.escape_whitespaces = field.value != 0;
    return {};
  }

  Bytes bytes_;
  uint64_t offset_;
  std::string_view path_;
  SentencePieceModel model_;
};

std::string trainer_spec(const SentencePieceModel& model) {
  ProtobufWriter spec;
  spec.put_varint(kModelType, static_cast<uint64_t>(model.type));
  spec.put_varint(kWhitespaceAsSuffix, model.treat_whitespace_as_suffix ? 1 : 0);
  spec.put_varint(kByteFallback, model.byte_fallback ? 1 : 0);
  const auto put_id = [&](uint32_t number, std::optional<uint32_t> id) {
    spec.put_varint(number, id ? *id : UINT64_MAX);  // -1
  };
  put_id(kUnkId, model.unk_id);
  put_id(kBosId, model.bos_id);
  put_id(kEosId, model.eos_id);
  put_id(kPadId, model.pad_id);
  spec.put_bytes(kUnkSurface, model.unk_surface);
  return spec.take();
}

std::string normalizer_spec(const SentencePieceModel& model) {
  ProtobufWriter spec;
  spec.put_bytes(kNormalizerName, model.normalizer);
  spec.put_bytes(kCharsmap, model.charsmap);
  spec.put_varint(kAddDummyPrefix, model.add_dummy_prefix ? 1 : 0);
  spec.put_varint(kRemoveExtraWhitespaces, model.remove_extra_whitespaces ? 1 : 0);
  spec.put_varint(kEscapeWhitespaces, model.escape_whitespaces ? 1 : 0);
  return spec.take();
}

}  // namespace

Result<SentencePieceModel> parse_sentencepiece_model(Bytes bytes, uint64_t offset,
                                                     std::string_view path) {
  return Parser(bytes, offset, path).parse();
}

std::string write_sentencepiece_model(const SentencePieceModel& model) {
  ProtobufWriter file;
  for (size_t i = 0; i < model.pieces.size(); ++i) {
    ProtobufWriter piece;
    piece.put_bytes(kPieceText, model.pieces[i]);
    piece.put_fixed32(kPieceScore, std::bit_cast<uint32_t>(model.scores[i]));
    if (model.types[i] != kNormal) piece.put_varint(kPieceType, model.types[i]);
    file.put_bytes(kPieces, piece.take());
  }
  file.put_bytes(kTrainerSpec, trainer_spec(model));
  file.put_bytes(kNormalizerSpec, normalizer_spec(model));
  if (!model.denormalizer_charsmap.empty()) {
    ProtobufWriter denormalizer;
    denormalizer.put_bytes(kCharsmap, model.denormalizer_charsmap);
    file.put_bytes(kDenormalizerSpec, denormalizer.take());
  }
  return file.take();
}

Result<TokenizerData> sentencepiece_tokenizer(Bytes bytes, uint64_t offset, std::string_view path) {
  AMBRY_TRY(SentencePieceModel model, parse_sentencepiece_model(bytes, offset, path));
  TokenizerData tokenizer;
  using Type = SentencePieceModel::Type;
  tokenizer.kind = model.type == Type::Bpe       ? TokenizerKind::SentencePieceBpe
                   : model.type == Type::Unigram ? TokenizerKind::SentencePieceUnigram
                                                 : TokenizerKind::Custom;
  tokenizer.vocabulary = std::move(model.pieces);
  tokenizer.scores = std::move(model.scores);
  tokenizer.types = std::move(model.types);
  tokenizer.unk_id = model.unk_id;
  tokenizer.bos_id = model.bos_id;
  tokenizer.eos_id = model.eos_id;
  tokenizer.pad_id = model.pad_id;
  tokenizer.payload = as_text(bytes);
  return tokenizer;
}

}  // namespace ambry::model
