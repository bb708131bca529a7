#include "api/files/inspect.h"

#include <utility>

#include "api/files/documents.h"
#include "api/files/file_map.h"
#include "api/files/memory_estimate.h"
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
  const model::Model& model = *read;
  io::Json document = file_info(model);
  document.set("regions", map_document(file_map(model)));
  io::Json memory;
  if (const auto estimate = memory_estimate(model)) {
    memory = io::Json::object();
    memory.set("asStored", estimate->as_stored);
    memory.set("int8", estimate->int8);
  }
  document.set("memory", std::move(memory));
  document.set("metadataToml", io::to_toml(model.metadata));
  return document.dump();
}

std::string format_ids() {
  io::Json ids = io::Json::array();
  for (const formats::Format& format : formats::formats()) ids.append(format.id);
  return ids.dump();
}

std::string simd_flavour() { return std::string(simd::Best::kName); }

}  // namespace ambry::api
