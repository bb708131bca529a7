#include "formats/embd/tokenizer/tokenizer_parts.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "base/order.h"
#include "formats/embd/tokenizer/tokenizer_settings.h"
#include "io/limits.h"
#include "model/tokenizer/tokenizer_kind.h"
#include "model/tokenizer/tokenizer_metadata.h"

namespace ambry::formats::embd {
namespace {

using model::TensorEntry;
using model::TokenizerData;
using model::TokenizerKind;
using tensor::DType;

constexpr unsigned kWords = 1U << static_cast<unsigned>(TokenizerKind::WordPiece);
constexpr unsigned kBpe = 1U << static_cast<unsigned>(TokenizerKind::Bpe);
constexpr unsigned kPieceBpe = 1U << static_cast<unsigned>(TokenizerKind::SentencePieceBpe);
constexpr unsigned kPieceUnigram = 1U << static_cast<unsigned>(TokenizerKind::SentencePieceUnigram);
constexpr unsigned kUnigram = 1U << static_cast<unsigned>(TokenizerKind::Unigram);
constexpr unsigned kPieces = kPieceBpe | kPieceUnigram;

// The kinds of tokenizers that may have a part, and those that need it.
struct PartRule {
  std::string_view name;
  unsigned allowed = 0;
  unsigned needed = 0;
};
constexpr auto kRules =
    std::to_array<PartRule>({{kSettingsPart, kWords | kBpe | kPieces | kUnigram, kBpe | kPieces},
                             {kJsonPart, kUnigram, kUnigram},
                             {kModelPart, kPieces, 0},
                             {kScoresPart, kPieces | kUnigram, kUnigram},
                             {kTypesPart, kPieces, 0},
                             {kMergesPart, kBpe | kPieceBpe, 0},
                             {kCharsmapPart, kPieces | kUnigram, 0}});

class PartsReader {
 public:
  PartsReader(const io::Source& source, const std::vector<TensorEntry>& parts,
              TokenizerData& tokenizer)
      : source_(source), parts_(parts), tokenizer_(tokenizer) {}

  // `kind_offset` is where the file states the kind.
  Result<void> check(uint64_t kind_offset);
  Result<void> read();

 private:
  [[nodiscard]] const TensorEntry* find(std::string_view name) const {
    const auto found = std::ranges::find(parts_, name, &TensorEntry::name);
    return found == parts_.end() ? nullptr : &*found;
  }
  [[nodiscard]] std::string_view kind_name() const {
    return model::tokenizer_kind_name(tokenizer_.kind);
  }
  [[nodiscard]] static Failure bad(const TensorEntry& part, ErrorCode code, const Text& message) {
    return error_at(code, part.index_offset, part.name, message);
  }
  Result<Bytes> bytes_of(const TensorEntry& part) const {
    return source_.view(part.offset, part.bytes, part.name);
  }
  Result<void> check_shape(const TensorEntry& part) const;

  Result<void> read_text(std::string_view name, std::string& out) const;
  Result<void> read_scores() const;
  Result<void> read_types() const;
  Result<void> read_merges() const;

  const io::Source& source_;
  const std::vector<TensorEntry>& parts_;
  TokenizerData& tokenizer_;
};

Result<void> PartsReader::check(uint64_t kind_offset) {
  const unsigned kind = 1U << static_cast<unsigned>(tokenizer_.kind);
  for (const TensorEntry& part : parts_) {
    const auto* rule = std::ranges::find(kRules, part.name, &PartRule::name);
    if (rule == kRules.end()) {
      return bad(part, ErrorCode::Unsupported, "this part of a tokenizer is not known");
    }
    if ((rule->allowed & kind) == 0) {
      return bad(part, ErrorCode::BadValue,
                 {"a tokenizer of the kind ", kind_name(), " does not have this part"});
    }
    AMBRY_RETURN_IF_ERROR(check_shape(part));
  }
  for (const PartRule& rule : kRules) {
    if ((rule.needed & kind) == 0 || find(rule.name) != nullptr) continue;
    return error_at(ErrorCode::NotFound, kind_offset, rule.name,
                    {"a tokenizer of the kind ", kind_name(), " needs this tensor"});
  }
  return {};
}

// Lists of tokens are as long as the vocabulary. The others are texts or pairs of ids.
Result<void> PartsReader::check_shape(const TensorEntry& part) const {
  const bool pairs = part.shape.rank() == 2 && part.shape[1] == 2 && part.dtype == DType::U32;
  const bool list = part.shape.rank() == 1;
  const bool text = list && part.dtype == DType::U8;
  const bool scores = part.name == kScoresPart;
  const bool as_floats = list && part.dtype == DType::F32;
  const bool fits = scores ? as_floats || (pairs && tokenizer_.kind == TokenizerKind::Unigram)
                           : (part.name == kMergesPart ? pairs : text);
  if (!fits) {
    return bad(part, ErrorCode::BadValue,
               {dtype_name(part.dtype), " of shape ", to_string(part.shape),
                " is not what this part of a tokenizer is stored as"});
  }
  const uint64_t n_tokens = tokenizer_.token_count();
  if ((scores || part.name == kTypesPart) && part.shape[0] != n_tokens) {
    return bad(part, ErrorCode::Mismatch,
               {part.shape[0], " values, but the vocabulary has ", n_tokens, " tokens"});
  }
  if (part.bytes > io::kMaxVocabularyBytes) {
    return bad(part, ErrorCode::LimitExceeded,
               {part.bytes, " bytes, at most ", io::kMaxVocabularyBytes});
  }
  return {};
}

Result<void> PartsReader::read() {
  AMBRY_RETURN_IF_ERROR(read_scores());
  AMBRY_RETURN_IF_ERROR(read_types());
  AMBRY_RETURN_IF_ERROR(read_merges());
  AMBRY_RETURN_IF_ERROR(read_text(kCharsmapPart, tokenizer_.charsmap));
  const std::string_view payload =
      tokenizer_.kind == TokenizerKind::Unigram ? kJsonPart : kModelPart;
  AMBRY_RETURN_IF_ERROR(read_text(payload, tokenizer_.payload));
  if (const TensorEntry* part = find(payload)) tokenizer_.payload_offset = part->offset;
  const TensorEntry* settings = find(kSettingsPart);
  if (settings == nullptr) return {};
  AMBRY_TRY(const Bytes text, bytes_of(*settings));
  return read_tokenizer_settings(as_text(text), settings->offset, tokenizer_);
}

Result<void> PartsReader::read_text(std::string_view name, std::string& out) const {
  const TensorEntry* part = find(name);
  if (part == nullptr) return {};
  AMBRY_TRY(const Bytes bytes, bytes_of(*part));
  out = as_text(bytes);
  return {};
}

Result<void> PartsReader::read_scores() const {
  const TensorEntry* part = find(kScoresPart);
  if (part == nullptr) return {};
  AMBRY_TRY(const Bytes bytes, bytes_of(*part));
  const bool wide = tokenizer_.kind == TokenizerKind::Unigram;
  const size_t step = part->dtype == DType::F32 ? sizeof(float) : sizeof(double);
  const size_t n = bytes.size() / step;
  wide ? tokenizer_.wide_scores.reserve(n) : tokenizer_.scores.reserve(n);
  for (size_t i = 0; i < n; ++i) {
    const uint8_t* at = bytes.data() + i * step;
    const double score = step == sizeof(float) ? double{std::bit_cast<float>(load_le<uint32_t>(at))}
                                               : std::bit_cast<double>(load_le<uint64_t>(at));
    if (!std::isfinite(score)) {
      return error_at(ErrorCode::BadValue, part->offset + i * step, {part->name, "[", i, "]"},
                      "a score must be a finite number");
    }
    if (wide) {
      tokenizer_.wide_scores.push_back(score);
    } else {
      tokenizer_.scores.push_back(static_cast<float>(score));
    }
  }
  return {};
}

Result<void> PartsReader::read_types() const {
  constexpr uint8_t kMaxType = 6;  // SentencePiece's numbers
  const TensorEntry* part = find(kTypesPart);
  if (part == nullptr) return {};
  AMBRY_TRY(const Bytes bytes, bytes_of(*part));
  const auto bad_type =
      std::ranges::find_if(bytes, [](uint8_t type) { return type == 0 || type > kMaxType; });
  if (bad_type != bytes.end()) {
    const auto i = static_cast<uint64_t>(bad_type - bytes.begin());
    return error_at(ErrorCode::BadValue, part->offset + i, {part->name, "[", i, "]"},
                    {*bad_type, " is no type of a token, which are 1 to ", kMaxType});
  }
  tokenizer_.types.assign(bytes.begin(), bytes.end());
  return {};
}

// Each merge becomes two texts, so a few long tokens could take much memory. They are added up
// first.
Result<void> PartsReader::read_merges() const {
  const TensorEntry* part = find(kMergesPart);
  if (part == nullptr) return {};
  AMBRY_TRY(const Bytes bytes, bytes_of(*part));
  const model::Vocabulary& tokens = tokenizer_.vocabulary;
  uint64_t text_bytes = 0;
  for (size_t at = 0; at < bytes.size(); at += sizeof(uint32_t)) {
    const auto id = load_le<uint32_t>(bytes.data() + at);
    const auto fail = [&](ErrorCode code, const Text& message) {
      return error_at(code, part->offset + at, {part->name, "[", at / 8, "]"}, message);
    };
    if (id >= tokens.size() || tokens[id].empty()) {
      return fail(ErrorCode::BadValue, {id, " is not the id of a token"});
    }
    text_bytes += tokens[id].size();
    if (text_bytes > io::kMaxVocabularyBytes) {
      return fail(ErrorCode::LimitExceeded, "the merges have more than 64 MiB of text");
    }
  }
  tokenizer_.merges.reserve(bytes.size() / sizeof(uint32_t), static_cast<size_t>(text_bytes));
  for (size_t at = 0; at < bytes.size(); at += sizeof(uint32_t)) {
    tokenizer_.merges.push_back(tokens[load_le<uint32_t>(bytes.data() + at)]);
  }
  return {};
}

}  // namespace

Result<void> take_tokenizer_parts(const io::Source& source, const model::ReadOptions& options,
                                  model::Model& model) {
  std::vector<TensorEntry> parts;
  size_t n_weights = 0;
  for (TensorEntry& entry : model.tensors) {
    if (entry.name.starts_with(kPartPrefix)) {
      parts.push_back(std::move(entry));
    } else if (&entry != &model.tensors[n_weights]) {
      model.tensors[n_weights++] = std::move(entry);
    } else {
      ++n_weights;
    }
  }
  model.tensors.resize(n_weights);
  if (!model.tokenizer) {
    if (parts.empty()) return {};
    return error_at(ErrorCode::BadValue, parts[0].index_offset, parts[0].name,
                    "a part of a tokenizer, but the file has no vocabulary");
  }
  for (const TensorEntry& part : parts) {
    model.regions.push_back({part.name, part.offset, part.bytes});
  }
  sort_items(model.regions, [](const auto& a, const auto& b) { return a.offset < b.offset; });
  TokenizerData& tokenizer = *model.tokenizer;
  AMBRY_TRY(tokenizer.kind, model::tokenizer_kind_in(model.metadata));
  PartsReader reader(source, parts, tokenizer);
  const io::Json* stated = model.metadata.find(model::kTokenizerKindKey);
  AMBRY_RETURN_IF_ERROR(reader.check(stated != nullptr ? stated->byte_offset() : 0));
  if (options.vocabulary) AMBRY_RETURN_IF_ERROR(reader.read());
  if (tokenizer.kind != TokenizerKind::WordPiece) return {};
  return model::read_tokenizer_metadata(model.metadata, tokenizer);
}

}  // namespace ambry::formats::embd
