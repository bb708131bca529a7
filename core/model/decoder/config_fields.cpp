#include "model/decoder/config_fields.h"

namespace ambry::model {

Result<void> ConfigFields::require(const char* name, uint32_t& out) const {
  AMBRY_RETURN_IF_ERROR(read({{name, out}}));
  if (out > 0) return {};
  return has(name) ? fail(name, ErrorCode::BadValue, "must be at least 1")
                   : fail(name, ErrorCode::NotFound, "the config does not state this value");
}

}  // namespace ambry::model
