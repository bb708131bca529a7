// One line a fixture: a new one is tried by every registry-wide test.
#include "formats/conformance.h"
#include "formats/embd/make_embd.h"
#include "formats/safetensors/make_safetensors.h"

namespace ambry::formats::testing {

std::vector<Fixture> fixtures() {
  return {{"embd", "F0", embd::testing::make_f0(), true, Rewritten::Same},
          {"embd", "F1", embd::testing::make_f1(), false, Rewritten::Converts},
          {"safetensors", "plain", safetensors::testing::make_safetensors()}};
}

}  // namespace ambry::formats::testing
