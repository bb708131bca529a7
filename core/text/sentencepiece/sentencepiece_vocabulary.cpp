#include "text/sentencepiece/sentencepiece_vocabulary.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/utf8.h"

namespace ambry::text {
namespace {

using model::TokenizerData;

constexpr uint8_t kMaxPieceType = 6;
constexpr uint64_t kMaxMissingIds = uint64_t{1} << 20;

Failure bad_vocabulary(ErrorCode code, const Text& message) {
  return make_error(code, "tokenizer.vocabulary", message);
}

Result<void> check_lists(const TokenizerData& data) {
  const size_t n = data.vocabulary.size();
  const auto fits = [n](size_t size) { return size == 0 || size == n; };
  if (!fits(data.ids.size()) || !fits(data.scores.size()) || !fits(data.types.size())) {
    return bad_vocabulary(ErrorCode::BadValue,
                          {"the lists have different sizes: ", n, " pieces, ", data.ids.size(),
                           " ids, ", data.scores.size(), " scores, ", data.types.size(), " types"});
  }
  for (size_t i = 0; i < n; ++i) {
    if (data.vocabulary[i].size() > kMaxPieceBytes) {
      return bad_vocabulary(ErrorCode::LimitExceeded,
                            {"piece ", i, " has ", data.vocabulary[i].size(),
                             " bytes, but at most ", kMaxPieceBytes, " are supported"});
    }
    if (find_invalid_utf8(data.vocabulary[i])) {
      return bad_vocabulary(ErrorCode::BadValue, {"piece ", i, " is not valid UTF-8"});
    }
    if (!data.scores.empty() && !std::isfinite(data.scores[i])) {
      return bad_vocabulary(ErrorCode::BadValue, {"the score of piece ", i, " is not finite"});
    }
    if (!data.types.empty() && (data.types[i] == 0 || data.types[i] > kMaxPieceType)) {
      return bad_vocabulary(ErrorCode::BadValue, {"the type of piece ", i, " is unknown"});
    }
  }
  return {};
}

// For each id, its index in the lists, or UINT32_MAX in a gap.
Result<std::vector<uint32_t>> positions_by_id(const TokenizerData& data) {
  const size_t n = data.vocabulary.size();
  std::vector<uint32_t> positions(n);
  std::iota(positions.begin(), positions.end(), 0U);
  if (data.ids.empty()) return positions;
  const uint64_t max_id = *std::max_element(data.ids.begin(), data.ids.end());
  if (max_id >= n + kMaxMissingIds) {
    return bad_vocabulary(ErrorCode::LimitExceeded,
                          {"the ids go up to ", max_id, ", but there are only ", n, " pieces"});
  }
  positions.assign(static_cast<size_t>(max_id) + 1, UINT32_MAX);
  for (size_t i = 0; i < n; ++i) positions[data.ids[i]] = static_cast<uint32_t>(i);
  return positions;
}

// The type of a piece by its spelling and the special ids, for vocabularies without types.
PieceType default_type(const TokenizerData& data, uint32_t id, std::string_view piece) {
  if (byte_of_piece(piece)) return PieceType::Byte;
  if (id == data.unk_id) return PieceType::Unknown;
  const bool control = id == data.bos_id || id == data.eos_id || id == data.pad_id;
  return control ? PieceType::Control : PieceType::Normal;
}

Result<void> find_bytes(SentencePieceVocabulary& made) {
  std::array<uint32_t, 256> bytes;
  bytes.fill(PieceMatch::kUnknown);
  for (uint32_t id = 0; id < made.pieces.size(); ++id) {
    if (!made.is(id, PieceType::Byte)) continue;
    if (const auto byte = byte_of_piece(made.pieces[id])) bytes[*byte] = id;
  }
  // Gemma has the tab itself instead of <0x09>. A character of ASCII is one byte.
  for (unsigned byte = 0; byte < 0x80; ++byte) {
    const auto character = static_cast<char>(byte);
    if (bytes[byte] != PieceMatch::kUnknown) continue;
    bytes[byte] = made.text.find({&character, 1}).value_or(PieceMatch::kUnknown);
  }
  const auto missing = std::ranges::find(bytes, PieceMatch::kUnknown);
  if (missing != bytes.end()) {
    return bad_vocabulary(ErrorCode::NotFound,
                          {"unknown characters become bytes, but byte ",
                           static_cast<uint64_t>(missing - bytes.begin()), " has no piece"});
  }
  made.bytes = bytes;
  return {};
}

// BPE also merges unused pieces and splits them again later. Unigram skips them.
Result<void> build_tries(SentencePieceVocabulary& made, bool with_unused) {
  std::vector<uint32_t> text;
  std::vector<uint32_t> user_defined;
  for (uint32_t id = 0; id < made.pieces.size(); ++id) {
    const PieceType type = made.types[id];
    if (type == PieceType::Normal || type == PieceType::UserDefined ||
        (type == PieceType::Unused && with_unused)) {
      text.push_back(id);
    }
    if (type == PieceType::UserDefined) user_defined.push_back(id);
  }
  AMBRY_TRY(made.text, PieceTrie::build(made.pieces, text));
  AMBRY_TRY(made.user_defined, PieceTrie::build(made.pieces, user_defined));
  return {};
}

}  // namespace

std::optional<uint8_t> byte_of_piece(std::string_view piece) {
  if (piece.size() != 6 || !piece.starts_with("<0x") || piece[5] != '>') return std::nullopt;
  uint8_t byte = 0;
  const auto [end, problem] = std::from_chars(piece.data() + 3, piece.data() + 5, byte, 16);
  if (problem != std::errc() || end != piece.data() + 5) return std::nullopt;
  return byte;
}

Result<SentencePieceVocabulary> SentencePieceVocabulary::create(TokenizerData& data,
                                                                bool byte_fallback) {
  AMBRY_RETURN_IF_ERROR(check_lists(data));
  AMBRY_TRY(const std::vector<uint32_t> positions, positions_by_id(data));
  SentencePieceVocabulary made;
  made.types.reserve(positions.size());
  for (uint32_t id = 0; id < positions.size(); ++id) {
    const uint32_t at = positions[id];
    const bool gap = at == UINT32_MAX;
    const std::string_view piece = gap ? std::string_view() : data.vocabulary[at];
    made.pieces.push_back(piece);
    made.types.push_back(gap                  ? PieceType::Unused
                         : data.types.empty() ? default_type(data, id, piece)
                                              : static_cast<PieceType>(data.types[at]));
    if (!data.scores.empty()) made.scores.push_back(gap ? 0 : data.scores[at]);
    if (made.types.back() == PieceType::Unknown && !made.unk) made.unk = id;
  }
  if (!made.unk) made.unk = data.unk_id;
  data.vocabulary = {};
  data.ids = {};
  data.scores = {};
  data.types = {};
  if (made.unk && !made.is_known(*made.unk)) {
    return bad_vocabulary(ErrorCode::BadValue, {"no piece has the unknown id ", *made.unk});
  }
  AMBRY_RETURN_IF_ERROR(build_tries(made, data.kind == model::TokenizerKind::SentencePieceBpe));
  if (byte_fallback) {
    AMBRY_RETURN_IF_ERROR(find_bytes(made));
  } else if (!made.unk) {
    return bad_vocabulary(ErrorCode::NotFound, "there is no unknown piece");
  }
  return made;
}

}  // namespace ambry::text
