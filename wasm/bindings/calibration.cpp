// What quantizing learns from a network at work: the ranges of its numbers over images. The bytes
// of its file come as to every sink.
#include "api/image_classifier/calibration.h"

#include <emscripten/bind.h>

#include <span>
#include <string>

#include "api/loading/partial_source.h"
#include "border/js_values.h"
#include "border/outcome.h"

namespace ambry::wasm {
namespace {

using api::Calibration;
using api::PartialSource;

JsText begin_calibration(Handle source, const std::string& plan) {
  return with<PartialSource>(
      source, [&](const PartialSource& parts) { return Calibration::begin(parts, plan); });
}

JsText calibration_image(Handle calibration, double numbers) {
  return with<Calibration>(calibration, [&](Calibration& going) -> Result<std::string> {
    AMBRY_TRY(const uint64_t count, count_of(numbers, "image"));
    AMBRY_TRY(const std::span<float> room, going.image(count));
    return heap_range(room.data(), room.size_bytes());
  });
}

JsText calibration_picture(Handle calibration, double width, double height) {
  return with<Calibration>(calibration, [&](Calibration& going) -> Result<std::string> {
    AMBRY_TRY(const uint64_t columns, count_of(width, "picture"));
    AMBRY_TRY(const uint64_t rows, count_of(height, "picture"));
    AMBRY_TRY(const MutableBytes room, going.picture(columns, rows));
    return heap_range(room.data(), room.size());
  });
}

JsText calibrate_on_image(Handle calibration) {
  return with<Calibration>(calibration, [](Calibration& going) { return going.run(); });
}

JsText calibration_ranges(Handle calibration) {
  return with<Calibration>(calibration, [](const Calibration& done) { return done.ranges(); });
}

}  // namespace

EMSCRIPTEN_BINDINGS(ambry_calibration) {
  emscripten::function("beginCalibration", &begin_calibration);
  emscripten::function("calibrationImage", &calibration_image);
  emscripten::function("calibrationPicture", &calibration_picture);
  emscripten::function("calibrateOnImage", &calibrate_on_image);
  emscripten::function("calibrationRanges", &calibration_ranges);
}

}  // namespace ambry::wasm
