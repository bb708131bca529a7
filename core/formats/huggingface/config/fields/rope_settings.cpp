#include "formats/huggingface/config/fields/rope_settings.h"

#include <string>

namespace ambry::formats::huggingface {

Result<void> read_rope_settings(const FileValues& values, model::EncoderFacts& facts,
                                std::initializer_list<model::ValueTarget> more) {
  const io::Json* stated = values.json().find("rope_parameters");
  if (stated != nullptr && stated->is_object()) {
    const FileValues rope(concat({values.file(), ".rope_parameters"}), *stated);
    std::string type = "default";
    AMBRY_RETURN_IF_ERROR(rope.read({{"rope_type", type}, {"rope_theta", facts.rope_theta}}));
    AMBRY_RETURN_IF_ERROR(rope.read(more));
    if (type != "default") {
      return rope.fail("rope_type", ErrorCode::Unsupported,
                       {"\"", type, "\" is not supported; \"default\" is"});
    }
  }
  if (facts.rope_theta >= 1 && facts.rope_theta <= 1e12) return {};
  return values.fail("rope_parameters", ErrorCode::BadValue,
                     "the rope_theta must be from 1 to 1e12");
}

}  // namespace ambry::formats::huggingface
