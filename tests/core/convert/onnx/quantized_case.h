// The graphs of tests/fixtures/onnx/quantized, a layer each.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "convert/checkpoint_quantization/matrix_reader.h"
#include "convert/onnx/weights/linear.h"
#include "data_files.h"
#include "formats/onnx/onnx_parse.h"
#include "io/json/json.h"

namespace ambry::convert::onnx::testing {

inline std::vector<float> floats_of(const io::Json& list) {
  std::vector<float> floats;
  for (const io::Json& item : list.items()) floats.push_back(static_cast<float>(item.number()));
  return floats;
}

using Change = std::function<void(formats::onnx::OnnxModel&)>;

// A file in memory, parsed, and changed after that.
class Opened {
 public:
  explicit Opened(std::string content, const Change& change = {})
      : content_(std::move(content)),
        source_(Bytes(reinterpret_cast<const uint8_t*>(content_.data()), content_.size())),
        sources_(source_, side_) {
    auto model = formats::onnx::read_model(source_);
    EXPECT_TRUE(model) << (model ? "" : model.error().message);
    if (model) model_ = std::make_unique<formats::onnx::OnnxModel>(std::move(*model));
    if (model_ && change) change(*model_);
    if (model_) file_ = std::make_unique<OnnxFile>(*model_, sources_);
  }

  [[nodiscard]] const OnnxFile& file() const { return *file_; }
  [[nodiscard]] const SourceFiles& sources() const { return sources_; }
  [[nodiscard]] Bytes bytes() const {
    return {reinterpret_cast<const uint8_t*>(content_.data()), content_.size()};
  }
  [[nodiscard]] NameId output() const { return file_->graph().outputs.front().name; }

 private:
  std::string content_;
  SideFiles side_;
  io::MemorySource source_;
  SourceFiles sources_;
  std::unique_ptr<formats::onnx::OnnxModel> model_;
  std::unique_ptr<OnnxFile> file_;
};

inline std::filesystem::path quantized_folder() {
  return ambry::testing::fixtures_folder() / "onnx" / "quantized";
}

inline io::Json quantized_json() {
  return *io::parse_json(*ambry::testing::read_text(quantized_folder() / "cases.json"));
}

inline std::string quantized_file(const std::string& name) {
  return *ambry::testing::read_text(quantized_folder() / (name + ".onnx"));
}

// The bytes of a matrix as its entry says, as a conversion reads them: in pieces that cross rows.
inline std::vector<uint8_t> read_matrix(const PackedMatrix& matrix, Bytes file) {
  MatrixReader reader(matrix);
  for (;;) {
    auto step = reader.next_read();
    EXPECT_TRUE(step) << (step ? "" : step.error().message);
    if (!step || !*step) break;
    std::ranges::copy(file.subspan((*step)->offset, (*step)->bytes.size()), (*step)->bytes.begin());
  }
  std::vector<uint8_t> bytes(matrix.entry.bytes);
  constexpr size_t kPiece = 1000;
  for (size_t at = 0; at < bytes.size(); at += kPiece) {
    const auto piece = std::span(bytes).subspan(at, std::min(kPiece, bytes.size() - at));
    const auto filled = reader.fill(at, piece);
    EXPECT_TRUE(filled) << (filled ? "" : filled.error().message);
  }
  return bytes;
}

}  // namespace ambry::convert::onnx::testing
