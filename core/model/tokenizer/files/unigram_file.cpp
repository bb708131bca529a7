#include "model/tokenizer/files/unigram_file.h"

#include <utility>

#include "base/base64.h"
#include "model/metadata/metadata_value.h"
#include "model/tokenizer/files/model_type.h"
#include "model/tokenizer/files/score_text.h"

namespace ambry::model {
namespace {

using io::Json;

constexpr const char* kPath = "tokenizer.json";
constexpr const char* kVocabularyPath = "tokenizer.json.model.vocab";
constexpr const char* kNormalizerPath = "tokenizer.json.normalizer";
constexpr const char* kMapKey = "precompiled_charsmap";

// A copy of an object without one of its members.
Json without(const Json& object, std::string_view key) {
  Json copy = Json::object();
  copy.set_byte_offset(object.byte_offset());
  for (const auto& [name, value] : object.members()) {
    if (name != key) copy.append_member(name, value);
  }
  return copy;
}

Result<void> read_pieces(const Json& model, std::string_view text, UnigramFile& file) {
  const Json* vocab = model.find("vocab");
  if (vocab == nullptr || !vocab->is_array() || vocab->items().empty()) {
    return error_at(ErrorCode::BadValue, model.byte_offset(), kVocabularyPath,
                    "expected a list of pieces");
  }
  file.scores.reserve(vocab->items().size());
  for (const Json& entry : vocab->items()) {
    const bool known = entry.is_array() && entry.items().size() == 2 &&
                       entry.items()[0].is_string() && entry.items()[1].is_number();
    if (!known) {
      return error_at(ErrorCode::BadValue, entry.byte_offset(), kVocabularyPath,
                      "expected a piece and its score");
    }
    file.pieces.push_back(entry.items()[0].string());
    file.scores.push_back(
        score_of_text(text.substr(static_cast<size_t>(entry.items()[1].byte_offset()))));
  }
  return {};
}

// The normalizer without the bytes of its map, which become `file.charsmap`.
class MapReader {
 public:
  explicit MapReader(UnigramFile& file) : file_(file) {}

  Result<Json> read(const Json& step) {
    if (!step.is_object()) return step;
    const std::string_view type = metadata_text(step, "type").value_or("");
    if (type == "Precompiled") return read_map(step);
    const Json* list = type == "Sequence" ? step.find("normalizers") : nullptr;
    if (list == nullptr || !list->is_array()) return step;
    Json steps = Json::array();
    steps.set_byte_offset(list->byte_offset());
    for (const Json& item : list->items()) {
      AMBRY_TRY(Json read_item, read(item));
      steps.append(std::move(read_item));
    }
    Json copy = step;
    copy.set("normalizers", std::move(steps));
    return copy;
  }

 private:
  Result<Json> read_map(const Json& step) {
    const auto text = metadata_text(step, kMapKey);
    if (!text || text->empty()) return step;
    if (!file_.charsmap.empty()) {
      return error_at(ErrorCode::Unsupported, step.byte_offset(), kNormalizerPath,
                      "two maps of characters are not supported");
    }
    auto bytes = decode_base64(*text);
    if (!bytes) {
      return error_at(ErrorCode::BadValue, step.byte_offset(), kNormalizerPath,
                      "the charsmap is not valid base64");
    }
    file_.charsmap = std::move(*bytes);
    return without(step, kMapKey);
  }

  UnigramFile& file_;
};

}  // namespace

Result<UnigramFile> read_unigram_file(std::string_view text) {
  AMBRY_TRY(const Json root, io::parse_json(text, 0, kPath));
  const std::string_view type = tokenizer_model_type(root);
  if (type != "Unigram") {
    return make_error(ErrorCode::Unsupported, "tokenizer.json.model",
                      {"a tokenizer.json with the model ", type.empty() ? "none" : type,
                       " is not supported here"});
  }
  UnigramFile file;
  const Json& model = *root.find("model");
  AMBRY_RETURN_IF_ERROR(read_pieces(model, text, file));
  file.root = without(root, "model");
  Json rest = without(model, "vocab");
  rest.set("type", type);  // older files leave it out, and the pieces told it
  file.root.set("model", std::move(rest));
  if (const Json* normalizer = root.find("normalizer")) {
    AMBRY_TRY(Json steps, MapReader(file).read(*normalizer));
    file.root.set("normalizer", std::move(steps));
  }
  return file;
}

TokenizerData unigram_tokenizer(UnigramFile file) {
  TokenizerData data;
  data.kind = TokenizerKind::Unigram;
  data.vocabulary = std::move(file.pieces);
  data.wide_scores = std::move(file.scores);
  data.charsmap = std::move(file.charsmap);
  data.payload = file.root.dump();
  return data;
}

Result<void> lower_unigram_texts(TokenizerData& data) {
  AMBRY_TRY(Json root, io::parse_json(data.payload, data.payload_offset, kPath));
  Json steps = Json::array();
  steps.append(Json::object()).set("type", "Lowercase");
  const Json* normalizer = root.find("normalizer");
  if (normalizer != nullptr && !normalizer->is_null()) {
    const Json* list = normalizer->find("normalizers");
    if (list != nullptr && list->is_array()) {
      for (const Json& step : list->items()) steps.append(step);
    } else {
      steps.append(*normalizer);
    }
  }
  Json sequence = Json::object();
  sequence.set("type", "Sequence");
  sequence.set("normalizers", std::move(steps));
  root.set("normalizer", std::move(sequence));
  data.payload = root.dump();
  return {};
}

Result<UnigramFile> open_unigram(TokenizerData& data) {
  UnigramFile file;
  AMBRY_TRY(file.root, io::parse_json(data.payload, data.payload_offset, kPath));
  if (tokenizer_model_type(file.root) != "Unigram") {
    return error_at(ErrorCode::BadValue, file.root.byte_offset(), "tokenizer.json.model",
                    "expected a Unigram model");
  }
  if (data.vocabulary.empty() || data.vocabulary.size() != data.wide_scores.size()) {
    return make_error(ErrorCode::Mismatch, "tokenizer.scores",
                      {data.wide_scores.size(), " scores of ", data.vocabulary.size(), " pieces"});
  }
  file.pieces = std::move(data.vocabulary);
  file.scores = std::move(data.wide_scores);
  file.charsmap = std::move(data.charsmap);
  return file;
}

}  // namespace ambry::model
