#include "api/inspect.h"

#include "api/documents.h"
#include "formats/registry.h"
#include "simd/isa.h"

namespace ambry::api {

Result<std::string> inspect(const io::Source& source) {
  AMBRY_TRY(const formats::Format* format, formats::recognise(source));
  io::Diagnostics diagnostics;
  AMBRY_TRY(const model::Model model, format->parse(source, diagnostics, {}));
  return file_info(model).dump();
}

std::string format_ids() {
  io::Json ids = io::Json::array();
  for (const formats::Format& format : formats::formats()) ids.append(format.id);
  return ids.dump();
}

std::string simd_flavour() { return std::string(simd::Best::kName); }

}  // namespace ambry::api
