// The small decoders of tests/reference/onnx/genai_decoders.py, with what onnxruntime says of them.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "convert/onnx/decoders/match_decoder.h"
#include "convert/run_conversion.h"
#include "data_files.h"
#include "formats/onnx/onnx_parse.h"
#include "io/json/json.h"
#include "io/source.h"

namespace ambry::convert::testing {

struct GenaiFixture {
  std::string name;
  std::vector<uint8_t> model;
  std::vector<uint8_t> data;  // of the file beside it; empty: there is none
  SideFiles side;

  static GenaiFixture read(const std::string& name) {
    const auto folder = ambry::testing::fixtures_folder() / "onnx" / "decoders" / name;
    GenaiFixture made{name,
                      ambry::testing::read_file(folder / "onnx" / "model.onnx").value(),
                      ambry::testing::read_file(folder / "onnx" / "model.onnx_data")
                          .value_or(std::vector<uint8_t>()),
                      {}};
    made.side.add("config.json", ambry::testing::read_text(folder / "config.json").value());
    return made;
  }

  // What onnxruntime gives: ids, logits of the last positions, and the tokens that follow.
  static io::Json expected(const std::string& name) {
    const auto folder = ambry::testing::fixtures_folder() / "onnx" / "decoders" / name;
    return *io::parse_json(ambry::testing::read_text(folder / "expected.json").value());
  }

  void set_config(std::string_view key, io::Json value) {
    io::Json config = *io::parse_json(*side.find("config.json"));
    config.set(key, std::move(value));
    side.add("config.json", config.dump());
  }
};

// The sources of a fixture, which must outlive this object.
struct GenaiSources {
  explicit GenaiSources(const GenaiFixture& fixture)
      : main(fixture.model), data(fixture.data), files(main, fixture.side) {
    contents.emplace_back(fixture.model);
    files.name_main("onnx/model.onnx");
    if (fixture.data.empty()) return;
    files.add("onnx/model.onnx_data", data);
    contents.emplace_back(fixture.data);
  }

  [[nodiscard]] Result<SourceModel> read(const formats::onnx::OnnxModel& model) const {
    return onnx::match_onnx_decoder(onnx::OnnxFile(model, files), onnx::KeptCodes::Amb);
  }
  [[nodiscard]] Result<SourceModel> read() const {
    AMBRY_TRY(const formats::onnx::OnnxModel model, formats::onnx::read_model(main));
    return read(model);
  }

  io::MemorySource main;
  io::MemorySource data;
  SourceFiles files;
  std::vector<Bytes> contents;
};

}  // namespace ambry::convert::testing
