#include "api/files/convert/conversion_report.h"

#include <utility>

namespace ambry::api {
namespace {

using io::Json;

Json tensor_document(const convert::TensorReport& tensor) {
  Json document = Json::object();
  document.set("name", tensor.name);
  const bool quantized = !tensor.stored_as.empty();
  document.set("from", quantized ? std::string_view(tensor.stored_as) : dtype_name(tensor.from));
  document.set("to", dtype_name(tensor.to));
  document.set("bytesBefore", tensor.bytes_before);
  document.set("bytes", tensor.bytes);
  document.set("maxAbsError", tensor.errors.max_abs_error());
  document.set("relativeError", tensor.errors.relative_error());
  document.set("cosine", tensor.errors.cosine());
  if (!tensor.note.empty()) document.set("note", tensor.note);
  return document;
}

Json mean_document(const convert::RunningMean& numbers) {
  Json document = Json::object();
  document.set("mean", numbers.mean());
  document.set("deviation", numbers.deviation());
  return document;
}

}  // namespace

Json conversion_report(const convert::Report* report) {
  if (report == nullptr) return {};
  uint64_t before = 0;
  uint64_t after = 0;
  Json tensors = Json::array();
  for (const convert::TensorReport& tensor : report->tensors) {
    before += tensor.bytes_before;
    after += tensor.bytes;
    tensors.append(tensor_document(tensor));
  }
  Json document = Json::object();
  document.set("bytesBefore", before);
  document.set("bytes", after);
  document.set("tensors", std::move(tensors));
  if (!report->network.is_null()) document.set("plan", report->network);
  if (report->vectors) {
    Json vectors = Json::object();
    vectors.set("rows", report->vectors->rows);
    vectors.set("cosine", mean_document(report->vectors->cosine));
    vectors.set("distance", mean_document(report->vectors->distance));
    document.set("vectors", std::move(vectors));
  }
  return document;
}

}  // namespace ambry::api
