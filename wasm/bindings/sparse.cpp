// Indexes of documents with sparse vectors.
#include <emscripten/bind.h>

#include <cstdint>
#include <span>
#include <string>

#include "api/search/sparse_documents.h"
#include "border/js_values.h"
#include "border/outcome.h"

namespace ambry::wasm {
namespace {

using api::IndexReader;
using api::SparseDocuments;

JsText create_sparse(double dim) {
  return outcome(SparseDocuments::create(static_cast<uint32_t>(dim)));
}

JsText finish_sparse(Handle reader) {
  return with<IndexReader>(reader, [](IndexReader& file) { return SparseDocuments::load(file); });
}

JsText append_sparse(Handle index, const JsBytes& pairs, const JsBytes& lengths) {
  return with<SparseDocuments>(index, [&](SparseDocuments& documents) {
    return documents.append(floats_of(pairs), counts_of(lengths));
  });
}

JsText score_sparse(Handle index, const JsBytes& query) {
  return with<SparseDocuments>(index, [&](SparseDocuments& documents) -> Result<std::string> {
    AMBRY_TRY(const std::span<const double> scores, documents.scores(floats_of(query)));
    return heap_range(scores.data(), scores.size_bytes());
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(ambry_sparse) {
  emscripten::function("createSparse", &create_sparse);
  emscripten::function("finishSparse", &finish_sparse);
  emscripten::function("appendSparse", &append_sparse);
  emscripten::function("scoreSparse", &score_sparse);
}

}  // namespace ambry::wasm
