#include "formats/amb/amb_tokenizer_section.h"

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "base/order.h"
#include "io/byte_reader.h"
#include "io/json/json_reader.h"
#include "io/limits.h"
#include "model/metadata/metadata_value.h"
#include "model/tokenizer/files/sentencepiece_model.h"
#include "model/tokenizer/tokenizer_options.h"

namespace ambry::formats::amb {
namespace {

using model::TokenizerData;
using model::TokenizerKind;

struct SpecialId {
  const char* name;
  std::optional<uint32_t> TokenizerData::* id;
};
// In the order of the section (README.md#special-ids).
constexpr auto kSpecialIds = std::to_array<SpecialId>({{"bos_id", &TokenizerData::bos_id},
                                                       {"eos_id", &TokenizerData::eos_id},
                                                       {"pad_id", &TokenizerData::pad_id},
                                                       {"unk_id", &TokenizerData::unk_id},
                                                       {"mask_id", &TokenizerData::mask_id}});

uint64_t vocabulary_of(const io::Json& config) {
  const io::Json* n_vocab = config.find("n_vocab");
  return n_vocab != nullptr && n_vocab->is_uint() ? n_vocab->uint() : 0;
}

// Reads the settings that the section cannot store.
Result<void> read_config(const io::Json& config, TokenizerData& tokenizer) {
  if (!model::has_value(config, "tokenizer")) return {};
  const io::Json& options = *config.find("tokenizer");
  if (!options.is_object()) {
    return model::metadata_error(config, "tokenizer", ErrorCode::BadValue, "not an object",
                                 "config");
  }
  return model::read_tokenizer_options(options, "config.tokenizer", tokenizer);
}

class Reader {
 public:
  Reader(const io::Source& source, const Sections& sections, const io::Json& config,
         io::Diagnostics& diagnostics)
      : source_(source),
        begin_(sections.tokenizer),
        end_(sections.weights),
        config_(config),
        n_vocab_(vocabulary_of(config)),
        diagnostics_(diagnostics),
        reader_(source, begin_) {}

  Result<TokenizerData> read(const model::ReadOptions& options);

 private:
  [[nodiscard]] uint64_t left() const { return end_ - reader_.position(); }

  Result<void> read_head();
  Result<void> read_payload();
  Result<void> read_merges();
  Result<void> read_vocabulary();
  Result<uint32_t> read_count(const char* field, uint64_t record_bytes);
  Result<std::string_view> read_text(const char* length_field, const char* field);
  void check_ids_unique();
  Result<void> read_sentencepiece();
  Result<void> read_custom();
  void check_special_ids();
  void check_template();

  const io::Source& source_;
  uint64_t begin_;
  uint64_t end_;
  const io::Json& config_;
  uint64_t n_vocab_;  // 0: not stated
  io::Diagnostics& diagnostics_;
  io::ByteReader reader_;
  TokenizerType type_ = TokenizerType::Bpe;
  uint64_t vocabulary_at_ = 0;
  uint64_t n_outside_ = 0;  // ids beyond the config's count
  TokenizerData tokenizer_;
};

Result<TokenizerData> Reader::read(const model::ReadOptions& options) {
  AMBRY_RETURN_IF_ERROR(read_head());
  if (options.vocabulary) {
    AMBRY_RETURN_IF_ERROR(read_payload());
  } else {
    tokenizer_.n_tokens = n_vocab_;
  }
  AMBRY_RETURN_IF_ERROR(read_config(config_, tokenizer_));
  if (type_ == TokenizerType::WordPiece) {
    tokenizer_.cls_id = tokenizer_.bos_id;
    tokenizer_.sep_id = tokenizer_.eos_id;
  }
  check_special_ids();
  return std::move(tokenizer_);
}

Result<void> Reader::read_head() {
  const auto scope = reader_.enter("tokenizer");
  if (left() < kTokenizerHeaderBytes) {
    return error_at(ErrorCode::Truncated, kTokenizerSizeAt, "header.tokenizer_size",
                    {left(), " bytes; a tokenizer has at least ", kTokenizerHeaderBytes});
  }
  AMBRY_RETURN_IF_ERROR(source_.view(begin_, kTokenizerHeaderBytes, "tokenizer"));
  AMBRY_TRY(const auto type, reader_.read<uint8_t>("type"));
  if (type > static_cast<uint8_t>(TokenizerType::Custom)) {
    return reader_.fail(ErrorCode::Unsupported, begin_, "type",
                        {"tokenizer type ", type, ", known are 0 to 3"});
  }
  type_ = static_cast<TokenizerType>(type);
  static constexpr auto kKinds =
      std::to_array<TokenizerKind>({TokenizerKind::Bpe, TokenizerKind::SentencePieceBpe,
                                    TokenizerKind::WordPiece, TokenizerKind::Custom});
  tokenizer_.kind = kKinds[type];
  for (const SpecialId& special : kSpecialIds) {
    AMBRY_TRY(const auto id, reader_.read<uint16_t>(special.name));
    if (id != kNoToken) tokenizer_.*special.id = id;
  }
  return {};
}

Result<void> Reader::read_payload() {
  if (left() > io::kMaxVocabularyBytes) {
    return error_at(ErrorCode::LimitExceeded, kTokenizerSizeAt, "header.tokenizer_size",
                    {end_ - begin_, " bytes, at most ", io::kMaxVocabularyBytes});
  }
  AMBRY_RETURN_IF_ERROR(source_.view(reader_.position(), left(), "tokenizer"));
  switch (type_) {
    case TokenizerType::Bpe:
      AMBRY_RETURN_IF_ERROR(read_merges());
      return read_vocabulary();
    case TokenizerType::WordPiece:
      return read_vocabulary();
    case TokenizerType::SentencePiece:
      return read_sentencepiece();
    case TokenizerType::Custom:
      return read_custom();
  }
  return {};
}

Result<std::string_view> Reader::read_text(const char* length_field, const char* field) {
  const uint64_t start = reader_.position();
  if (left() < sizeof(uint16_t)) {
    return reader_.fail(ErrorCode::Truncated, start, length_field, "the tokenizer ends before");
  }
  AMBRY_TRY(const auto length, reader_.read<uint16_t>(length_field));
  if (length > left()) {
    return reader_.fail(ErrorCode::Truncated, start, length_field,
                        {length, " bytes of text, ", left(), " left in the tokenizer"});
  }
  return reader_.read_utf8(length, field);
}

// Reads a count and checks it against the remaining bytes.
Result<uint32_t> Reader::read_count(const char* field, uint64_t record_bytes) {
  const uint64_t start = reader_.position();
  if (left() < sizeof(uint32_t)) {
    return reader_.fail(ErrorCode::Truncated, start, field, "the tokenizer ends before");
  }
  AMBRY_TRY(const auto count, reader_.read<uint32_t>(field));
  if (count * record_bytes <= left()) return count;
  return reader_.fail(ErrorCode::Truncated, start, field,
                      {count, " records do not fit into the ", left(), " bytes that are left"});
}

// Reads the merges twice: the first pass finds the exact size.
Result<void> Reader::read_merges() {
  AMBRY_TRY(const uint32_t count, read_count("tokenizer.n_merges", kMergeBytes));
  const uint64_t start = reader_.position();
  for (const bool keep : {false, true}) {
    if (keep) {
      const uint64_t text_bytes = reader_.position() - start - count * kMergeBytes;
      tokenizer_.merges.reserve(size_t{count} * 2, static_cast<size_t>(text_bytes));
      reader_.seek(start);
    }
    for (uint32_t rank = 0; rank < count; ++rank) {
      const auto scope = reader_.enter("tokenizer.merges", rank);
      AMBRY_TRY(const auto left_part, read_text("left_length", "left"));
      if (keep) tokenizer_.merges.push_back(left_part);
      AMBRY_TRY(const auto right_part, read_text("right_length", "right"));
      if (keep) tokenizer_.merges.push_back(right_part);
    }
  }
  return {};
}

Result<void> Reader::read_vocabulary() {
  vocabulary_at_ = reader_.position();
  AMBRY_TRY(const uint32_t count, read_count("tokenizer.n_vocab", kTokenBytes));
  tokenizer_.vocabulary.reserve(count, static_cast<size_t>(left() - count * kTokenBytes));
  bool in_order = true;  // ids are 0, 1, 2, …, so no list is needed
  for (uint32_t i = 0; i < count; ++i) {
    const auto scope = reader_.enter("tokenizer.vocabulary", i);
    const uint64_t start = reader_.position();
    if (left() < kTokenBytes) {
      return reader_.fail(ErrorCode::Truncated, start, "id", "the tokenizer ends before");
    }
    AMBRY_TRY(const auto id, reader_.read<uint32_t>("id"));
    if (n_vocab_ > 0 && id >= n_vocab_ && n_outside_++ == 0) {
      diagnostics_.error(reader_.fail(ErrorCode::BadValue, start, "id",
                                      {id, " is not below the ", n_vocab_, " of config.n_vocab"}));
    }
    if (in_order && id != i) {
      in_order = false;
      tokenizer_.ids.reserve(count);
      for (uint32_t before = 0; before < i; ++before) tokenizer_.ids.push_back(before);
    }
    if (!in_order) tokenizer_.ids.push_back(id);
    AMBRY_TRY(const auto token, read_text("length", "token"));
    tokenizer_.vocabulary.push_back(token);
  }
  check_ids_unique();
  if (left() > 0) {
    diagnostics_.tolerate(error_at(ErrorCode::BadValue, reader_.position(), "tokenizer.end",
                                   {left(), " bytes follow the vocabulary"}));
  }
  return {};
}

void Reader::check_ids_unique() {
  const std::vector<uint32_t>& ids = tokenizer_.ids;
  const auto order =
      sorted_order(ids.size(), [&](uint32_t a, uint32_t b) { return ids[a] < ids[b]; });
  for (size_t i = 1; i < order.size(); ++i) {
    if (ids[order[i]] != ids[order[i - 1]]) continue;
    diagnostics_.error(error_at(ErrorCode::BadValue, vocabulary_at_,
                                {"tokenizer.vocabulary[", order[i], "].id"},
                                {"the id ", ids[order[i]], " is given to two tokens"}));
    return;
  }
}

Result<void> Reader::read_sentencepiece() {
  const uint64_t start = reader_.position();
  AMBRY_TRY(const Bytes bytes, reader_.read_bytes(left(), "tokenizer.payload"));
  TokenizerData stated = std::move(tokenizer_);
  AMBRY_TRY(tokenizer_, model::sentencepiece_tokenizer(bytes, start, "tokenizer.model"));
  // The section's own ids count, not those that the SentencePiece model was trained with.
  for (const SpecialId& special : kSpecialIds) tokenizer_.*special.id = stated.*special.id;
  if (tokenizer_.kind == TokenizerKind::Custom) {
    diagnostics_.warn(error_at(ErrorCode::Unsupported, start, "tokenizer.model.trainer_spec",
                               "a SentencePiece model of words or characters, which nothing here "
                               "can run"));
  }
  if (n_vocab_ > 0 && tokenizer_.vocabulary.size() > n_vocab_) {
    diagnostics_.error(
        error_at(ErrorCode::Mismatch, start, "tokenizer.model.pieces",
                 {tokenizer_.vocabulary.size(), " pieces, but config.n_vocab is ", n_vocab_}));
  }
  return {};
}

// A payload that starts with a brace is a whole tokenizer.json; otherwise its form is unknown.
Result<void> Reader::read_custom() {
  const uint64_t start = reader_.position();
  AMBRY_TRY(const Bytes bytes, reader_.read_bytes(left(), "tokenizer.payload"));
  if (as_text(bytes).starts_with('{')) {
    io::JsonReader json(as_text(bytes), start, "tokenizer.payload");
    for (auto event = io::JsonEvent::Null; event != io::JsonEvent::End;) {
      AMBRY_TRY(event, json.next());
    }
  }
  tokenizer_.payload = as_text(bytes);
  tokenizer_.n_tokens = n_vocab_;
  return {};
}

void Reader::check_special_ids() {
  if (n_vocab_ == 0) return;
  const io::Json* options = config_.find("tokenizer");
  for (size_t i = 0; i < kSpecialIds.size(); ++i) {
    const SpecialId& special = kSpecialIds[i];
    const auto& id = tokenizer_.*special.id;
    if (!id || *id < n_vocab_) continue;
    const bool from_config = options != nullptr && model::has_value(*options, special.name);
    diagnostics_.error(
        error_at(ErrorCode::BadValue,
                 from_config ? options->find(special.name)->byte_offset() : begin_ + 1 + 2 * i,
                 {from_config ? "config." : "", "tokenizer.", special.name},
                 {*id, " is not below the ", n_vocab_, " of config.n_vocab"}));
  }
  // The first one is eos_id, which was checked.
  for (size_t i = 1; i < tokenizer_.eos_ids.size(); ++i) {
    const uint32_t id = tokenizer_.eos_ids[i];
    if (id < n_vocab_) continue;
    diagnostics_.error(error_at(ErrorCode::BadValue, options->find("eos_id")->byte_offset(),
                                {"config.tokenizer.eos_id[", i, "]"},
                                {id, " is not below the ", n_vocab_, " of config.n_vocab"}));
    break;
  }
  check_template();
}

void Reader::check_template() {
  if (!tokenizer_.post_processor) return;
  const io::Json& stated = *config_.find("tokenizer")->find("post_processor");
  for (const model::Template* parts :
       {&tokenizer_.post_processor->single, &tokenizer_.post_processor->pair}) {
    for (const model::TemplatePart& part : *parts) {
      for (const uint32_t id : part.ids) {
        if (id < n_vocab_) continue;
        diagnostics_.error(error_at(ErrorCode::BadValue, stated.byte_offset(),
                                    "config.tokenizer.post_processor",
                                    {id, " is not below the ", n_vocab_, " of config.n_vocab"}));
      }
    }
  }
}

}  // namespace

Result<TokenizerData> read_tokenizer_section(const io::Source& source, const Sections& sections,
                                             const io::Json& config, io::Diagnostics& diagnostics,
                                             const model::ReadOptions& options) {
  return Reader(source, sections, config, diagnostics).read(options);
}

}  // namespace ambry::formats::amb
