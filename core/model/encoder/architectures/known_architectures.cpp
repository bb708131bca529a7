#include "model/encoder/architectures/architectures.h"

namespace ambry::model {

[[gnu::weak]] EncoderArchitectures known_architectures() { return kEveryArchitecture; }

}  // namespace ambry::model
