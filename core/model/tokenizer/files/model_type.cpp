#include "model/tokenizer/files/model_type.h"

#include "model/metadata/metadata_value.h"

namespace ambry::model {

std::string_view tokenizer_model_type(const io::Json& root) {
  const io::Json* model = root.find("model");
  if (model == nullptr || !model->is_object()) return {};
  if (model->find("type") != nullptr) return metadata_text(*model, "type").value_or("");
  const io::Json* vocab = model->find("vocab");
  if (vocab == nullptr) return {};
  if (vocab->is_array()) return "Unigram";
  if (!vocab->is_object()) return {};
  const io::Json* merges = model->find("merges");
  if (merges != nullptr && merges->is_array()) return "BPE";
  if (!metadata_text(*model, "unk_token")) return {};
  const io::Json* length = model->find("max_input_chars_per_word");
  const bool words = length != nullptr && length->is_uint() &&
                     metadata_text(*model, "continuing_subword_prefix").has_value();
  return words ? "WordPiece" : "WordLevel";
}

}  // namespace ambry::model
