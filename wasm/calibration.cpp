// Networks run over images for the ranges of their numbers. The file's bytes come as to every sink.
#include "api/calibration.h"

#include <emscripten/bind.h>

#include <span>
#include <string>

#include "api/source.h"
#include "outcome.h"

namespace ambry::wasm {
namespace {

using api::Calibration;
using api::PartialSource;

// Lengths of arrays in JavaScript are whole numbers below this.
constexpr double kMostNumbers = 4294967296.0;

std::string begin_calibration(Handle source, const std::string& plan) {
  return with<PartialSource>(
      source, [&](const PartialSource& parts) { return Calibration::begin(parts, plan); });
}

std::string calibration_image(Handle calibration, double numbers) {
  return with<Calibration>(calibration, [&](Calibration& going) -> Result<std::string> {
    if (!(numbers >= 0 && numbers < kMostNumbers)) {
      return make_error(ErrorCode::BadValue, "image", "no number of numbers");
    }
    AMBRY_TRY(const std::span<float> room, going.image(static_cast<uint64_t>(numbers)));
    return heap_range(room.data(), room.size_bytes());
  });
}

std::string calibrate_on_image(Handle calibration) {
  return with<Calibration>(calibration, [](Calibration& going) { return going.run(); });
}

std::string calibration_ranges(Handle calibration) {
  return with<Calibration>(calibration, [](const Calibration& done) { return done.ranges(); });
}

}  // namespace

EMSCRIPTEN_BINDINGS(ambry_calibration) {
  emscripten::function("beginCalibration", &begin_calibration);
  emscripten::function("calibrationImage", &calibration_image);
  emscripten::function("calibrateOnImage", &calibrate_on_image);
  emscripten::function("calibrationRanges", &calibration_ranges);
}

}  // namespace ambry::wasm
