#include <string>

#include "formats/finalfusion/finalfusion_layout.h"
#include "formats/finalfusion/finalfusion_parse.h"
#include "model/vocabulary/repeated_tokens.h"

namespace ambry::formats::finalfusion {
namespace {

// The offset of the record with this index. Each record has `fixed_bytes` besides its text.
uint64_t record_offset(const model::Model& model, std::string_view region,
                       const model::Vocabulary& texts, uint64_t fixed_bytes, uint64_t index) {
  for (const model::Region& part : model.regions) {
    if (part.name != region) continue;
    return part.offset + index * fixed_bytes + texts.text_offset(static_cast<size_t>(index));
  }
  return kNoOffset;
}

void check_unique(const model::Model& model, std::string_view region,
                  const model::Vocabulary& texts, uint64_t fixed_bytes,
                  io::Diagnostics& diagnostics) {
  const model::RepeatedTokens repeated = model::find_repeated_tokens(texts);
  for (const auto& [first, again] : repeated.examples) {
    diagnostics.error(error_at(
        ErrorCode::BadValue, record_offset(model, region, texts, fixed_bytes, again),
        {region, "[", again, "]"}, {"\"", texts[again], "\" is number ", first, " already"}));
  }
  if (repeated.count > repeated.examples.size()) {
    diagnostics.error(make_error(ErrorCode::BadValue, region,
                                 {repeated.count, " entries in all repeat an earlier one"}));
  }
}

void check_rows(const model::TensorEntry& tensor, const model::WordVocabulary& words,
                io::Diagnostics& diagnostics) {
  if (tensor.shape.rank() == 0) return;
  const uint64_t rows = tensor.shape[0];
  if (tensor.name == kStorage || tensor.name == kCodes) {
    if (rows == words.n_rows()) return;
    diagnostics.error(error_at(ErrorCode::Mismatch, tensor.index_offset, "storage.rows",
                               {rows, " rows, but the vocabulary takes ", words.n_rows()}));
  } else if (tensor.name == kNorms && rows != words.n_words) {
    diagnostics.error(error_at(ErrorCode::Mismatch, tensor.index_offset, "norms.n",
                               {rows, " norms for ", words.n_words, " words"}));
  }
}

}  // namespace

void check(const model::Model& model, io::Diagnostics& diagnostics) {
  if (!model.words) return;
  const model::WordVocabulary& words = *model.words;
  if (!words.any_bytes) {
    check_unique(model, "vocabulary.words", words.words, kWordBytes, diagnostics);
  }
  check_unique(model, "vocabulary.ngrams", words.ngrams, kNgramBytes, diagnostics);
  for (const model::TensorEntry& tensor : model.tensors) check_rows(tensor, words, diagnostics);
}

}  // namespace ambry::formats::finalfusion
