#include "formats/tinyruntime/layout.h"
#include "formats/tinyruntime/parse.h"
#include "formats/tinyruntime/read_tables.h"

namespace ambry::formats::tinyruntime {
namespace {

// Rule 9 (README.md#rule-9): the exporter writes 10 for every network.
void check_classes(const model::CnnTable& table, io::Diagnostics& diagnostics) {
  if (table.linears.empty() || table.linears.back().out == table.n_classes) return;
  diagnostics.warn(
      header_error(ErrorCode::Mismatch, kClasses,
                   {"rule 9: ", std::to_string(table.n_classes), ", but the last linear layer has ",
                    std::to_string(table.linears.back().out), " outputs, which count"}));
}

// Rule 4 (README.md#rule-4): with padding of a whole kernel or more, some outputs see no input.
void check_padding(const model::Model& model, const model::CnnTable& table,
                   io::Diagnostics& diagnostics) {
  for (size_t i = 0; i < table.convs.size(); ++i) {
    const model::CnnLayer& conv = table.convs[i];
    if (conv.padding < conv.kernel) continue;
    const model::TensorEntry* weight = model.find(concat({"conv.", uint64_t{i}, ".weight"}));
    if (weight == nullptr) continue;
    diagnostics.warn(error_at(ErrorCode::BadValue,
                              weight->index_offset + field_at(table.variant, CnnKind::Conv, 2),
                              path_of(CnnKind::Conv, i, "pad"),
                              {"rule 4: ", std::to_string(conv.padding), " around a kernel of ",
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
