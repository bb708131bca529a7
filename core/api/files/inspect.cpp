#include "api/files/inspect.h"

#include <utility>

#include "api/call/documents.h"
#include "api/files/file_map.h"
#include "api/files/run_report.h"
#include "formats/registry.h"
#include "io/source_part.h"
#include "io/toml/toml.h"
#include "simd/isa.h"

namespace ambry::api {

Result<std::string> inspect(const io::Source& source, bool vocabulary) {
  AMBRY_TRY(const formats::Format* format, formats::recognise(source));
  io::Diagnostics diagnostics;
  auto read = format->parse(source, diagnostics, {.vocabulary = vocabulary});
  if (!read) return io::in_part(source, read.take_error());
  model::Model& model = *read;
  io::Json document = file_info(model);
  document.set("regions", map_document(file_map(model)));
  document.set("metadataToml", io::to_toml(model.metadata));
  AMBRY_TRY(const RunReport run,
            run_report(source, *format, std::move(model), diagnostics, vocabulary));
  document.set("run", run_document(run, format->facts.id));
  return document.dump();
}

std::string format_ids() {
  io::Json ids = io::Json::array();
  for (const formats::Format& format : formats::formats()) ids.append(format.facts.id);
  return ids.dump();
}

std::string simd_flavour() { return std::string(simd::Best::kName); }

}  // namespace ambry::api
