#include "model/encoder/architectures/encoder_architecture.h"

#include <algorithm>

namespace ambry::model {

const EncoderArchitecture* find_architecture(EncoderArchitectures known, std::string_view name) {
  const auto found = std::ranges::find(known, name, &EncoderArchitecture::name);
  return found == known.end() ? nullptr : *found;
}

}  // namespace ambry::model
