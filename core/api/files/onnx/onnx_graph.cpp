#include "api/files/onnx/onnx_graph.h"

#include <vector>

#include "api/call/documents.h"
#include "formats/onnx/external_data.h"
#include "formats/onnx/graph_document.h"
#include "formats/onnx/onnx_parse.h"
#include "io/json/json.h"

namespace ambry::api {

namespace onnx = formats::onnx;

Result<std::string> onnx_graph(const io::Source& source) {
  AMBRY_TRY(const onnx::OnnxModel model, onnx::read_model(source));
  return onnx::graph_document(model).dump();
}

Result<std::string> check_external_data(const io::Source& source, std::string_view files) {
  AMBRY_TRY(const io::Json list, io::parse_json(files, 0, "files"));
  std::vector<onnx::FileBeside> beside;
  const bool is_array = list.kind() == io::Json::Kind::Array;
  for (const io::Json& row : is_array ? list.items() : std::vector<io::Json>()) {
    const bool is_pair = row.kind() == io::Json::Kind::Array && row.items().size() == 2 &&
                         row.items()[0].is_string() && row.items()[1].is_uint();
    if (!is_pair) return make_error(ErrorCode::BadValue, "files", "no pairs of a name and a size");
    beside.push_back({row.items()[0].string(), row.items()[1].uint()});
  }
  AMBRY_TRY(const onnx::OnnxModel model, onnx::read_model(source));
  io::Diagnostics found;
  onnx::check_external(model, beside, found);
  return problems(found.errors).dump();
}

}  // namespace ambry::api
