// Late interaction: token vectors, scores by MaxSim, and indexes of documents with many vectors.
#include <emscripten/bind.h>

#include <cstdint>
#include <string>

#include "api/encoder/encoder_model.h"
#include "api/encoder/token_job.h"
#include "api/search/document_index.h"
#include "bindings/kind.h"
#include "border/js_values.h"
#include "border/outcome.h"

namespace ambry::wasm {
namespace {

using api::Documents;
using api::EncoderModel;
using api::IndexReader;
using api::TokenJob;

JsText begin_tokens(Handle model, const std::string& options) {
  return with<EncoderModel>(model, [&](const EncoderModel& encoder) {
    return TokenJob::begin(encoder.runtime(), options);
  });
}

const Kind kTokens("tokens", begin_tokens);

JsText score_documents(Handle documents, Handle query) {
  return with<TokenJob>(documents, [&](TokenJob& texts) -> Result<std::string> {
    const TokenJob* const asked = find<TokenJob>(query);
    if (asked == nullptr) return not_held();
    AMBRY_RETURN_IF_ERROR(texts.score(*asked));
    return heap_range(texts.scores().data(), texts.scores().size_bytes());
  });
}

JsText create_documents(double dim, bool as_bytes) {
  return outcome(Documents::create(static_cast<uint32_t>(dim), as_bytes));
}

JsText finish_documents(Handle reader) {
  return with<IndexReader>(reader, [](IndexReader& file) { return Documents::load(file); });
}

JsText append_documents(Handle index, const JsBytes& rows, const JsBytes& lengths) {
  return with<Documents>(index, [&](Documents& documents) {
    return documents.append(floats_of(rows), counts_of(lengths));
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(ambry_late) {
  emscripten::function("scoreDocuments", &score_documents);
  emscripten::function("createDocuments", &create_documents);
  emscripten::function("finishDocuments", &finish_documents);
  emscripten::function("appendDocuments", &append_documents);
}

}  // namespace ambry::wasm
