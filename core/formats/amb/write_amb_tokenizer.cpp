#include "formats/amb/write_amb_tokenizer.h"

#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "formats/amb/amb_layout.h"
#include "io/byte_writer.h"
#include "model/metadata/metadata_value.h"

namespace ambry::formats::amb {
namespace {

using model::TokenizerData;
using model::TokenizerKind;

Result<TokenizerType> type_of(const TokenizerData& tokenizer) {
  switch (tokenizer.kind) {
    case TokenizerKind::Bpe:
      return TokenizerType::Bpe;
    case TokenizerKind::WordPiece:
      return TokenizerType::WordPiece;
    case TokenizerKind::SentencePieceBpe:
    case TokenizerKind::SentencePieceUnigram:
      if (!tokenizer.payload.empty()) return TokenizerType::SentencePiece;
      return make_error(ErrorCode::Unsupported, "tokenizer",
                        "a SentencePiece tokenizer without its model file");
    case TokenizerKind::Custom:
      // SentencePiece models of words and characters also have pieces.
      return tokenizer.vocabulary.empty() ? TokenizerType::Custom : TokenizerType::SentencePiece;
    default:
      return make_error(ErrorCode::Unsupported, "tokenizer",
                        {"AMB has no tokenizer of the kind ", tokenizer_kind_name(tokenizer.kind)});
  }
}

void put_special_id(model::Model& model, const char* name, std::optional<uint32_t> id,
                    io::ByteWriter& writer) {
  const bool fits = id && *id < kNoToken;
  writer.put(fits ? static_cast<uint16_t>(*id) : kNoToken);
  if (!id || fits) return;
  if (!model.config.is_object()) model.config = io::Json::object();
  const io::Json* stated = model.config.find("tokenizer");
  io::Json options = stated != nullptr && stated->is_object() ? *stated : io::Json::object();
  if (model::has_value(options, name)) return;
  options.set(name, *id);
  model.config.set("tokenizer", std::move(options));
}

Result<void> put_text(std::string_view text, io::ByteWriter& writer) {
  if (text.size() > std::numeric_limits<uint16_t>::max()) {
    return make_error(ErrorCode::LimitExceeded, "tokenizer",
                      {"a token of ", text.size(), " bytes, AMB can hold 65535"});
  }
  writer.put(static_cast<uint16_t>(text.size()));
  writer.put_text(text);
  return {};
}

Result<void> put_merges(const TokenizerData& tokenizer, io::ByteWriter& writer) {
  writer.put(static_cast<uint32_t>(tokenizer.merges.size() / 2));
  for (size_t i = 0; i < tokenizer.merges.size(); ++i) {
    AMBRY_RETURN_IF_ERROR(put_text(tokenizer.merges[i], writer));
  }
  return {};
}

Result<void> put_vocabulary(const TokenizerData& tokenizer, io::ByteWriter& writer) {
  const size_t count = tokenizer.vocabulary.size();
  writer.put(static_cast<uint32_t>(count));
  for (size_t i = 0; i < count; ++i) {
    writer.put(tokenizer.ids.empty() ? static_cast<uint32_t>(i) : tokenizer.ids[i]);
    AMBRY_RETURN_IF_ERROR(put_text(tokenizer.vocabulary[i], writer));
  }
  return {};
}

}  // namespace

Result<std::vector<uint8_t>> tokenizer_bytes(model::Model& model) {
  io::ByteWriter writer;
  if (!model.tokenizer) return writer.take();
  const TokenizerData& tokenizer = *model.tokenizer;
  if (tokenizer.n_tokens > 0 && tokenizer.vocabulary.empty() && tokenizer.payload.empty()) {
    return make_error(ErrorCode::BadValue, "tokenizer", "its vocabulary was not read");
  }
  AMBRY_TRY(const TokenizerType type, type_of(tokenizer));
  // [CLS] and [SEP] are stored where other kinds have bos and eos (README.md#special-ids).
  const bool has_cls = type == TokenizerType::WordPiece;
  writer.put(static_cast<uint8_t>(type));
  put_special_id(model, "bos_id", has_cls ? tokenizer.cls_id : tokenizer.bos_id, writer);
  put_special_id(model, "eos_id", has_cls ? tokenizer.sep_id : tokenizer.eos_id, writer);
  put_special_id(model, "pad_id", tokenizer.pad_id, writer);
  put_special_id(model, "unk_id", tokenizer.unk_id, writer);
  put_special_id(model, "mask_id", tokenizer.mask_id, writer);
  switch (type) {
    case TokenizerType::Bpe:
      AMBRY_RETURN_IF_ERROR(put_merges(tokenizer, writer));
      AMBRY_RETURN_IF_ERROR(put_vocabulary(tokenizer, writer));
      break;
    case TokenizerType::WordPiece:
      AMBRY_RETURN_IF_ERROR(put_vocabulary(tokenizer, writer));
      break;
    case TokenizerType::SentencePiece:
    case TokenizerType::Custom:
      writer.put_text(tokenizer.payload);
      break;
  }
  return writer.take();
}

}  // namespace ambry::formats::amb
