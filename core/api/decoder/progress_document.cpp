#include "api/decoder/progress_document.h"

namespace ambry::api {

using io::Json;

Json progress_document(const generate::PassProgress& progress) {
  Json document = Json::object();
  const bool lacks = progress.step.kind == infer::PassStep::Kind::NeedsPart;
  document.set("part", lacks ? Json(uint64_t{progress.step.part}) : Json());
  document.set("done", progress.done);
  document.set("loaded", progress.loaded);
  document.set("total", progress.total);
  return document;
}

}  // namespace ambry::api
