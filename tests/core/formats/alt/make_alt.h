// Builds small ALT files byte by byte from the format's page, independently of the writer, with
// every fault that files of the wild have.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "formats/file_bytes.h"

namespace ambry::formats::alt::testing {

using formats::testing::File;
using formats::testing::put;
using formats::testing::put_at;
using formats::testing::put_text;

inline constexpr uint64_t kGeneral = 0xCAFEBABE;
inline constexpr uint64_t kParameters = 0xDEADBEEF;
inline constexpr uint64_t kTokenizer = 0xBADDCAFE;
inline constexpr uint64_t kTensors = 0xFACEFEED;
inline constexpr uint32_t kEnd = 0x0FFFFFFF;
inline constexpr std::string_view kSpaceMark = "\xE2\x96\x81";

// A text after its length; `length` when it is not that of the bytes.
inline void put_string(File& file, std::string_view text, int32_t length = -1) {
  put(file, length < 0 ? static_cast<int32_t>(text.size()) : length);
  put_text(file, text);
}

struct Token {
  std::string piece;
  float score = 0;
  int32_t type = 0;  // in today's numbering
};

// unk, bos, eos, two bytes, pieces with spaces, one of several bytes.
inline std::vector<Token> tiny_tokens() {
  const std::string space(kSpaceMark);
  return {{"<unk>", 0, 1},  {"<s>", 0, 2},       {"</s>", 0, 2},
          {"<0x00>", 0, 4}, {"<0x01>", 0, 4},    {space + "a", -0.0F, 0},
          {"b", -1, 0},     {"\xC3\xA9", -2, 0}, {space, -1e9F, 0}};
}

struct Tensor {
  std::string name;
  std::vector<int32_t> shape;
  int32_t data_type = 0;
  std::string data = {};  // made up when empty

  [[nodiscard]] size_t bytes() const {
    size_t count = 1;
    for (const int32_t extent : shape) count *= static_cast<size_t>(extent);
    return data_type == 0 ? 4 * count : data_type == 1 ? 2 * count : count / 32 * 34;
  }
};

// width 4, 2 heads of 2, 1 kv head, 6 inner, `vocab` rows; the output matrix is the embedding.
inline std::vector<Tensor> tiny_tensors(int32_t vocab = 9) {
  const std::string layer = "model.layers.0.";
  return {{"model.embed_tokens.weight", {vocab, 4}},
          {layer + "input_layernorm.weight", {4}},
          {layer + "self_attn.q_proj.weight", {4, 4}},
          {layer + "self_attn.k_proj.weight", {2, 4}},
          {layer + "self_attn.v_proj.weight", {2, 4}},
          {layer + "self_attn.o_proj.weight", {4, 4}},
          {layer + "post_attention_layernorm.weight", {4}},
          {layer + "mlp.gate_proj.weight", {6, 4}},
          {layer + "mlp.up_proj.weight", {6, 4}},
          {layer + "mlp.down_proj.weight", {4, 6}},
          {"model.norm.weight", {4}}};
}

// Where things lie in the file made last; 0 for what it does not have.
struct Places {
  uint64_t general = 0;  // markers
  uint64_t parameters = 0;
  uint64_t tokenizer = 0;
  uint64_t tensors = 0;
  uint64_t end = 0;
  std::vector<uint64_t> tokens;   // records
  std::vector<uint64_t> records;  // of tensors
};

// The stated size of a section from what its fields, and the padding after them, take.
using SizeRule = std::function<int64_t(int64_t payload, int64_t padding)>;
inline int64_t payload_only(int64_t payload, int64_t /*padding*/) { return payload; }

// What both versions share: sections, padding, the end.
struct Maker {
  SizeRule size = payload_only;
  uint64_t alignment = 32;
  int end_bytes = 4;  // 0: no end marker
  uint32_t end_marker = kEnd;
  bool sign_extended = false;
  std::vector<Token> tokens = tiny_tokens();
  int32_t bos = 1;
  int32_t eos = 2;
  int32_t pad = -1;
  int32_t unk = 0;
  Places places = {};

 protected:
  void align(File& file) const {
    file.resize((file.size() + alignment - 1) / alignment * alignment);
  }
  uint64_t begin(File& file, uint64_t marker) const {
    const uint64_t at = file.size();
    put(file, sign_extended ? marker | 0xFFFFFFFF00000000ULL : marker);
    put(file, int64_t{0});
    return at;
  }
  void end_section(File& file, uint64_t at, int64_t correction = 0) const {
    const auto payload = static_cast<int64_t>(file.size() - at - 16);
    const uint64_t fields_end = file.size();
    align(file);
    const auto padding = static_cast<int64_t>(file.size() - fields_end);
    put_at(file, at + 8, size(payload, padding) + correction);
  }
  void put_counts(File& file) const {
    put(file, static_cast<int32_t>(tokens.size()));
    for (const int32_t id : {bos, eos, pad, unk}) put(file, id);
  }
  void put_end(File& file) {
    places.end = file.size();
    if (end_bytes >= 4) put(file, end_marker);
    for (int i = 4; i < end_bytes; ++i) file.push_back(0);
  }
};

struct V1Maker : Maker {
  std::string magic = "ctla";
  std::string model_type = "mistral";
  int32_t hidden_size = 4;
  int32_t n_layers = 1;
  int32_t intermediate_size = 6;
  int32_t n_heads = 2;
  int32_t n_kv_heads = 1;
  int32_t sliding_window = 0;
  float rope_theta = 10'000;
  float rms_norm_eps = 1e-5F;
  int32_t head_size = 2;
  int32_t data_type = 0;
  int32_t context_length = 16;
  std::vector<Tensor> tensors = tiny_tensors();
  bool with_tensors = true;
  bool second_size = false;      // the tokenizer's "Header Size"
  bool tokenizer_first = false;  // before the parameters
  int64_t second_size_off_by = 0;

  File make() {
    places = {};
    File file;
    put_text(file, magic);
    align(file);
    if (tokenizer_first) make_tokenizer(file);
    make_parameters(file);
    if (!tokenizer_first) make_tokenizer(file);
    if (with_tensors) make_tensors(file);
    put_end(file);
    return file;
  }

  // Offsets of fields in the file made last.
  [[nodiscard]] uint64_t field(size_t index) const {  // 0: hidden_size
    return places.parameters + 20 + model_type.size() + 4 * index;
  }

 private:
  void make_parameters(File& file) {
    places.parameters = begin(file, kParameters);
    put_string(file, model_type);
    for (const int32_t value :
         {hidden_size, n_layers, intermediate_size, n_heads, n_kv_heads, sliding_window}) {
      put(file, value);
    }
    put(file, rope_theta);
    put(file, rms_norm_eps);
    for (const int32_t value : {head_size, data_type, context_length}) put(file, value);
    end_section(file, places.parameters);
  }

  void make_tokenizer(File& file) {
    places.tokenizer = begin(file, kTokenizer);
    if (second_size) put(file, int64_t{0});
    put_counts(file);
    for (const Token& token : tokens) {
      places.tokens.push_back(file.size());
      put_string(file, token.piece);
    }
    end_section(file, places.tokenizer);
    if (second_size) {
      const auto stated = load_le<int64_t>(file.data() + places.tokenizer + 8);
      put_at(file, places.tokenizer + 16, stated + second_size_off_by);
    }
  }

  void make_tensors(File& file) {
    places.tensors = begin(file, kTensors);
    put(file, static_cast<int64_t>(tensors.size()));
    int64_t n_extents = 0;
    for (const Tensor& tensor : tensors) n_extents += static_cast<int64_t>(tensor.shape.size());
    put(file, n_extents);
    for (const Tensor& tensor : tensors) {
      places.records.push_back(file.size());
      put(file, static_cast<int32_t>(tensor.shape.size()));
      put(file, static_cast<int32_t>(tensor.name.size()));
      put(file, tensor.data_type);
      for (const int32_t extent : tensor.shape) put(file, extent);
      put_text(file, tensor.name);
      put_text(file, tensor.data);
      for (size_t i = tensor.data.size(); i < tensor.bytes(); ++i) {
        file.push_back(
            static_cast<uint8_t>(i % 4 == 3 ? 0x3D : (i * 7 + tensor.name.size()) % 251));
      }
    }
    end_section(file, places.tensors);
  }
};

enum class V2Tokens : uint8_t { Head, Old };

// As the author's Python writes it, correct unless told otherwise.
struct V2Maker : Maker {
  V2Maker() { end_bytes = 8; }
  // With so many more tokens.
  static V2Maker with_tokens(int n_more) {
    V2Maker maker;
    for (int i = 0; i < n_more; ++i) maker.tokens.push_back({"piece" + std::to_string(i), -9, 0});
    return maker;
  }

  std::vector<std::string> general = {"mistral",    "base/model", "author", "2024-12-01T00:00:00",
                                      "2024-12-02", "mit",        "0-1-2-3"};
  int32_t version = 2;
  int32_t stated_alignment = 32;
  int64_t start_size = 8;
  bool lengths_in_characters = false;
  std::string hidden_act = "silu";
  uint8_t tied = 1;
  std::vector<int32_t> counts = {4, 6, 16, 2, 1, 1};  // hidden, inner, positions, heads, layers, kv
  int32_t sliding_window = 16;
  int32_t head_size = 2;
  float rms_norm_eps = 1e-5F;
  float rope_theta = 10'000;
  float initializer_range = 0.02F;
  bool omit_window = false;
  bool integer_theta = false;
  bool theta_before_eps = false;
  bool head_size_last = false;  // then theta stands before eps too
  V2Tokens layout = V2Tokens::Head;
  bool forget_ids = false;  // in the tokenizer's size
  std::vector<int32_t> ids = {};
  bool with_tokenizer = true;
  bool with_general = true;

  File make() {
    places = {};
    File file;
    put(file, uint64_t{0x616C7400});
    put(file, start_size);
    put(file, version);
    put(file, stated_alignment);
    align(file);
    if (with_general) make_general(file);
    make_parameters(file);
    if (with_tokenizer) make_tokenizer(file);
    put_end(file);
    return file;
  }

 private:
  static int32_t characters(std::string_view text) {
    int32_t count = 0;
    for (const char c : text) count += (static_cast<uint8_t>(c) & 0xC0U) != 0x80 ? 1 : 0;
    return count;
  }

  void make_general(File& file) {
    places.general = begin(file, kGeneral);
    int64_t correction = 0;
    for (const std::string& text : general) {
      const int32_t length = characters(text);
      put_string(file, text, lengths_in_characters ? length : -1);
      if (lengths_in_characters) correction += length - static_cast<int64_t>(text.size());
    }
    end_section(file, places.general, correction);
  }

  void put_theta(File& file) const {
    if (integer_theta) return put(file, static_cast<int32_t>(rope_theta));
    put(file, rope_theta);
  }

  void make_parameters(File& file) {
    places.parameters = begin(file, kParameters);
    put_string(file, hidden_act);
    file.push_back(tied);
    for (const int32_t value : counts) put(file, value);
    if (!omit_window) put(file, sliding_window);
    if (!head_size_last) put(file, head_size);
    if (theta_before_eps || head_size_last) put_theta(file);
    put(file, rms_norm_eps);
    if (!theta_before_eps && !head_size_last) put_theta(file);
    put(file, initializer_range);
    if (head_size_last) put(file, head_size);
    end_section(file, places.parameters, omit_window ? 4 : 0);
  }

  void make_tokenizer(File& file) {
    places.tokenizer = begin(file, kTokenizer);
    put_counts(file);
    for (size_t i = 0; i < tokens.size(); ++i) {
      const Token& token = tokens[i];
      places.tokens.push_back(file.size());
      if (layout == V2Tokens::Head) {
        put(file, token.score);
        put(file, token.type);
        put(file, ids.empty() ? static_cast<int32_t>(i) : ids[i]);
        put_string(file, token.piece);
      } else {
        put_string(file, token.piece);
        put(file, token.score);
        put(file, token.type);
      }
    }
    const auto forgotten = static_cast<int64_t>(4 * tokens.size());
    end_section(file, places.tokenizer, forget_ids ? -forgotten : 0);
  }
};

}  // namespace ambry::formats::alt::testing
