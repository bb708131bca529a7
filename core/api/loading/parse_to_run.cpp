#include "api/loading/parse_to_run.h"

#include <utility>

namespace ambry::api {

Result<model::Model> parse_to_run(const io::Source& source,
                                  std::span<const formats::Format> candidates) {
  AMBRY_TRY(const formats::Format* format, formats::recognise(source, candidates));
  io::Diagnostics diagnostics;
  AMBRY_TRY(model::Model model, format->parse(source, diagnostics, {}));
  format->check(model, diagnostics);
  if (!diagnostics.errors.empty()) return std::move(diagnostics.errors.front());
  return model;
}

}  // namespace ambry::api
