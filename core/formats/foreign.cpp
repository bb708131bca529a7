#include "formats/foreign.h"

#include <algorithm>
#include <array>

#include "base/bytes.h"
#include "base/checked.h"
#include "base/concat.h"
#include "base/utf8.h"
#include "formats/foreign_text.h"

namespace ambry::formats {
namespace {

using namespace std::string_view_literals;

struct Beginning {
  std::string_view bytes;
  std::string_view name;
  size_t at = 0;
};

constexpr auto kPickle =
    "a Python pickle that PyTorch's own save did not write (gensim's .kv or .model, perhaps: "
    "export the vectors there with save_word2vec_format)"sv;

constexpr std::array kBeginnings = {
    Beginning{"lmgg"sv,
              "an unversioned GGML file of before 2023: convert the original model again"},
    Beginning{"fmgg"sv, "a GGMF file of early 2023: convert the original model again"},
    Beginning{"tjgg"sv,
              "a GGJT file of 2023, which GGUF replaced: convert the original model again"},
    Beginning{"algg"sv, "a GGML adapter (LoRA) of 2023"},
    Beginning{"FUGG"sv, "a GGUF file with its magic reversed"},
    Beginning{"24ka"sv, "a llama2.c checkpoint of version 1 or 2"},
    Beginning{"\x89HDF\r\n\x1A\n"sv,
              "an HDF5 file (Keras or TensorFlow: needed is model.safetensors)"},
    Beginning{"\x93NUMPY"sv, "a NumPy array (.npy)"},
    Beginning{"TFL3"sv,
              "a TensorFlow Lite model (LiteRT): take the safetensors or the ONNX file of the same "
              "model",
              4},
    Beginning{"LITERTLM"sv,
              "a LiteRT-LM bundle: take the safetensors or the GGUF file of the same model"},
    Beginning{"\x80\x02"sv, kPickle},
    Beginning{"\x80\x03"sv, kPickle},
    Beginning{"\x80\x04"sv, kPickle},
    Beginning{"\x80\x05"sv, kPickle},
    Beginning{"PK\x05\x06"sv, "an empty ZIP archive"},
    Beginning{"BZh"sv, "a bzip2 file: unpack it first"},
    Beginning{"\xFD"
              "7zXZ"sv,
              "an xz file: unpack it first"},
    Beginning{"\x28\xB5\x2F\xFD"sv, "a Zstandard file: unpack it first"},
    Beginning{"\x04\x22\x4D\x18"sv, "an LZ4 file: unpack it first"},
    Beginning{"7z\xBC\xAF\x27\x1C"sv, "a 7-Zip archive: unpack it first"},
    Beginning{"Rar!\x1A\x07"sv, "a RAR archive: unpack it first"},
    Beginning{"ustar"sv, "a tar archive: unpack it first", 257},
    Beginning{"PAR1"sv, "a Parquet table"},
    Beginning{"ARROW1"sv, "an Arrow table"},
    Beginning{"SQLite format 3\0"sv, "an SQLite database"},
    Beginning{"%PDF-"sv, "a PDF document"},
    Beginning{"\x89PNG\r\n\x1A\n"sv, "a PNG image"},
    Beginning{"\xFF\xD8\xFF"sv, "a JPEG image"},
    Beginning{"GIF8"sv, "a GIF image"},
    Beginning{"WEBP"sv, "a WebP image", 8},
    Beginning{"WAVE"sv, "a WAV recording", 8},
    Beginning{"\x7F"
              "ELF"sv,
              "a program (ELF)"},
    Beginning{"\xCF\xFA\xED\xFE"sv, "a program (Mach-O)"},
    Beginning{"\xCE\xFA\xED\xFE"sv, "a program (Mach-O)"},
    Beginning{"\xCA\xFE\xBA\xBE"sv, "a program (Mach-O or Java)"},
    Beginning{"MZ\x90"sv, "a program (Windows)"},
    Beginning{"\0asm"sv, "a WebAssembly module"},
};

// Uses the name of the first member, which is in the archive's first bytes.
std::string describe_zip(std::string_view head) {
  constexpr size_t kNameLengthAt = 26;
  constexpr size_t kNameAt = 30;
  const size_t length =
      head.size() < kNameAt ? 0 : load_le<uint16_t>(as_bytes(head).data() + kNameLengthAt);
  const std::string_view name = head.size() < kNameAt ? "" : head.substr(kNameAt, length);
  const auto has = [&](std::string_view part) { return head.find(part) != std::string_view::npos; };
  if (name.ends_with(".npy")) return "a NumPy archive (.npz)";
  if (name.find("/code/__torch__") != std::string_view::npos || name.ends_with("/constants.pkl")) {
    return "a TorchScript archive, which holds a program: save the model's state_dict() instead";
  }
  if (name == "[Content_Types].xml") return "an Office document";
  if (name.starts_with("META-INF/")) return "a Java archive";
  // config.json follows metadata.json, whose content is a few words.
  if (name == "metadata.json" && has("keras")) return "a Keras model (.keras)";
  if (name.empty() || find_invalid_utf8(name)) return "a ZIP archive: unpack it first";
  return concat({"a ZIP archive: unpack it first (its first member is ", name, ")"});
}

// Protocol Buffers: a piece (field 1) that starts with its text (field 1), followed by its score
// (field 2, a float).
bool is_sentence_piece(std::string_view head) {
  if (head.size() < 5 || head[0] != '\x0A' || head[2] != '\x0A') return false;
  const auto piece = static_cast<uint8_t>(head[1]);
  const auto text = static_cast<uint8_t>(head[3]);
  return piece < 0x80 && text + 2U <= piece && head.size() > 4U + text &&
         (text + 2U == piece || head[4U + text] == '\x15');
}

// Seven integers, then floats. Only the file's size proves it.
bool is_llama2_c(std::string_view head, uint64_t size) {
  constexpr size_t kHeader = 28;
  if (head.size() < kHeader) return false;
  std::array<int32_t, 7> n{};
  for (size_t i = 0; i < n.size(); ++i) n[i] = load_le<int32_t>(as_bytes(head).data() + 4 * i);
  const bool shared = n[5] > 0;  // a negative vocabulary means a separate classifier
  if (n[5] == INT32_MIN) return false;
  n[5] = shared ? n[5] : -n[5];
  for (const int32_t value : n) {
    if (value <= 0 || value > 1 << 20) return false;
  }
  const auto [dim, hidden, layers, heads, kv_heads, vocab, seq] = std::array<uint64_t, 7>{
      static_cast<uint64_t>(n[0]), static_cast<uint64_t>(n[1]), static_cast<uint64_t>(n[2]),
      static_cast<uint64_t>(n[3]), static_cast<uint64_t>(n[4]), static_cast<uint64_t>(n[5]),
      static_cast<uint64_t>(n[6])};
  const uint64_t head_size = dim / heads;
  // Values of at most 2^20 keep the sum below 2^62.
  const uint64_t layer =
      2 * dim + 2 * dim * dim + 2 * dim * kv_heads * head_size + 3 * dim * hidden;
  const auto all_layers = checked_mul(layers, layer);
  if (!all_layers || *all_layers > UINT64_MAX / 8) return false;
  const uint64_t floats = *all_layers + vocab * dim * (shared ? 1 : 2) + dim + seq * head_size;
  return size == kHeader + sizeof(float) * floats;
}

// Files of before 2017 start with the options of the training, and then the dictionary.
bool is_old_fasttext(std::string_view head, uint64_t size) {
  constexpr size_t kHeader = 68;
  if (head.size() < kHeader) return false;
  const uint8_t* const bytes = as_bytes(head).data();
  const auto field = [&](size_t i) { return load_le<uint32_t>(bytes + 4 * i); };
  const auto in = [](uint32_t value, uint32_t least, uint32_t most) {
    return least <= value && value <= most;
  };
  const auto threshold = load_le<double>(bytes + 48);
  const uint64_t n_entries = field(14);
  constexpr uint64_t kEntryBytes = 10;
  return in(field(0), 1, 1 << 20) && in(field(6), 1, 3) && in(field(7), 1, 3) && threshold >= 0 &&
         threshold <= 1 && n_entries > 0 && n_entries == uint64_t{field(15)} + field(16) &&
         n_entries <= size / kEntryBytes;
}

bool all_zero(std::string_view head) {
  return head.size() >= 8 && std::ranges::all_of(head, [](char c) { return c == '\0'; });
}

}  // namespace

std::string describe_foreign(std::string_view head, uint64_t size) {
  if (head.starts_with("PK\x03\x04")) return describe_zip(head);
  for (const Beginning& known : kBeginnings) {
    if (head.size() >= known.at && head.substr(known.at).starts_with(known.bytes)) {
      return std::string(known.name);
    }
  }
  if (!starts_like_json(head)) {
    if (std::string usual = describe_usual_mistake(head); !usual.empty()) return usual;
  }
  if (all_zero(head)) {
    return "a file that starts with zeros only: a download that was cut off, perhaps";
  }
  if (is_sentence_piece(head)) return "a SentencePiece model, which is a tokenizer only";
  if (is_llama2_c(head, size)) return "a llama2.c checkpoint";
  if (is_old_fasttext(head, size)) {
    return "a fastText model of before 2017, without a magic number: train it again with fastText "
           "0.9, or load and save it with gensim";
  }
  return describe_foreign_text(head, size);
}

}  // namespace ambry::formats
