// Builds safetensors files from a header text, or from tensors laid out one after another.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"

namespace ambry::formats::safetensors::testing {

using File = std::vector<uint8_t>;

inline File from_header(std::string_view header, std::string_view data) {
  File file(8);
  store_le(file.data(), static_cast<uint64_t>(header.size()));
  file.insert(file.end(), header.begin(), header.end());
  file.insert(file.end(), data.begin(), data.end());
  return file;
}

struct Tensor {
  std::string name;
  std::string dtype;
  std::vector<uint64_t> shape;
  std::string data;
};

inline File from_tensors(const std::vector<Tensor>& tensors,
                         std::string_view metadata = R"({"format":"pt"})") {
  std::string header = R"({"__metadata__":)" + std::string(metadata);
  std::string data;
  for (const Tensor& tensor : tensors) {
    header += ",\"" + tensor.name + R"(":{"dtype":")" + tensor.dtype + R"(","shape":[)";
    for (size_t i = 0; i < tensor.shape.size(); ++i) {
      header += (i > 0 ? "," : "") + std::to_string(tensor.shape[i]);
    }
    header += R"(],"data_offsets":[)" + std::to_string(data.size()) + ",";
    data += tensor.data;
    header += std::to_string(data.size()) + "]}";
  }
  header += "}";
  while (header.size() % 8 != 0) header += ' ';
  return from_header(header, data);
}

inline File make_safetensors() {
  return from_tensors({{"a.weight", "F32", {20, 3}, std::string(240, '\1')},
                       {"b", "BF16", {5}, std::string(10, '\2')},
                       {"scalar", "I64", {}, std::string(8, '\3')},
                       {"empty", "U8", {0, 4}, ""}});
}

}  // namespace ambry::formats::safetensors::testing
