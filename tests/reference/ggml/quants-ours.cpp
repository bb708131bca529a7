// The block types of core/tensor/codec/blocks, with the arguments of quants-oracle.c.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include "tensor/codec/blocks/blocks.h"
#include "tensor/codec/blocks/encode_blocks.h"
#include "tensor/dtype/dtype_table.h"

using namespace ambry;  // NOLINT(google-build-using-namespace): a program of one file

namespace {

std::vector<uint8_t> read_all(std::FILE* from) {
  std::vector<uint8_t> bytes;
  for (int c = std::fgetc(from); c != EOF; c = std::fgetc(from)) {
    bytes.push_back(static_cast<uint8_t>(c));
  }
  return bytes;
}

std::vector<float> floats_of(const std::vector<uint8_t>& bytes) {
  std::vector<float> values(bytes.size() / sizeof(float));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
  return values;
}

int fail(const Error& error) {
  std::fprintf(stderr, "%s\n", describe(error).c_str());
  return 1;
}

}  // namespace

int main(int n, char** arguments) {
  const tensor::DTypeRow* row = nullptr;
  for (const tensor::DTypeRow& known : tensor::kDTypeTable) {
    if (n > 2 && std::string_view(known.name) == arguments[2]) row = &known;
  }
  if (row == nullptr) return 2;
  const std::vector<uint8_t> in = read_all(stdin);
  if (std::string_view(arguments[1]) == "decode") {
    std::vector<float> out(in.size() / row->block.bytes * row->block.elements);
    if (auto decoded = tensor::decode_blocks(row->dtype, in, out); !decoded) {
      return fail(decoded.error());
    }
    std::fwrite(out.data(), sizeof(float), out.size(), stdout);
    return 0;
  }
  std::vector<float> importance;
  if (n > 4) {
    std::FILE* file = std::fopen(arguments[4], "rb");
    importance = floats_of(read_all(file));
    std::fclose(file);
  }
  const std::vector<float> values = floats_of(in);
  std::vector<uint8_t> out(values.size() / row->block.elements * row->block.bytes);
  if (auto encoded = tensor::encode_blocks(row->dtype, values, out, importance); !encoded) {
    return fail(encoded.error());
  }
  std::fwrite(out.data(), 1, out.size(), stdout);
  return 0;
}
