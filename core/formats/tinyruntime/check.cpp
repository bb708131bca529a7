#include "formats/tinyruntime/read_tables.h"
#include "formats/tinyruntime/tinyruntime_layout.h"
#include "formats/tinyruntime/tinyruntime_parse.h"

namespace ambry::formats::tinyruntime {
namespace {

// The number of classes is that of the last linear layer (README.md#rule-9), but the exporter
// writes 10 for every network.
void check_classes(const model::CnnTable& table, io::Diagnostics& diagnostics) {
  if (table.linears.empty() || table.linears.back().out == table.n_classes) return;
  diagnostics.warn(
      header_error(ErrorCode::Mismatch, kClasses,
                   {"the header states ", std::to_string(table.n_classes),
                    " classes, but the last linear layer has ",
                    std::to_string(table.linears.back().out), " outputs, which are used"}));
}

// With padding of a whole kernel or more, some outputs see no input (README.md#rule-4).
void check_padding(const model::Model& model, const model::CnnTable& table,
                   io::Diagnostics& diagnostics) {
  for (size_t i = 0; i < table.convs.size(); ++i) {
    const model::CnnLayer& conv = table.convs[i];
    if (conv.padding < conv.kernel) continue;
    const model::TensorEntry* weight = model.find(concat({"conv.", uint64_t{i}, ".weight"}));
    if (weight == nullptr) continue;
    diagnostics.warn(error_at(
        ErrorCode::BadValue, weight->index_offset + field_at(table.variant, CnnKind::Conv, 2),
        path_of(CnnKind::Conv, i, "pad"),
        {"the padding of ", std::to_string(conv.padding), " is not less than the kernel size of ",
         std::to_string(conv.kernel)}));
  }
}

}  // namespace

void check(const model::Model& model, io::Diagnostics& diagnostics) {
  const auto table = model::cnn_table(model.config);
  if (!table) return;  // parse() has reported the reason
  check_classes(*table, diagnostics);
  check_padding(model, *table, diagnostics);
}

}  // namespace ambry::formats::tinyruntime
