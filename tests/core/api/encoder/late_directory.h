// Directories of models with late interaction, with the made-up weights of a fixture
// (tests/reference/models/late_interaction.py), in ColBERT's layout or in PyLate's.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "convert/run_conversion.h"
#include "data_files.h"
#include "formats/safetensors/make_safetensors.h"
#include "infer/encoder/architecture_case.h"

namespace ambry::api::testing {

using convert::SideFiles;
using convert::testing::File;
using SafeTensor = formats::safetensors::testing::Tensor;

inline io::Json late_fixture(const std::string& name) {
  const auto path = ambry::testing::fixtures_folder() / "late_interaction" / (name + ".json");
  return io::parse_json(*ambry::testing::read_text(path)).value();
}

inline uint64_t count_in(const io::Json& json, const char* key) { return json.find(key)->uint(); }

inline bool flag_in(const io::Json& json, const char* key, bool fallback) {
  const io::Json* value = json.find(key);
  return value == nullptr ? fallback : value->boolean();
}

inline const char* flag_text(bool flag) { return flag ? "true" : "false"; }

// Changes of a test to the files of a directory.
struct Changes {
  std::string settings = {};  // members of artifact.metadata or config_sentence_transformers.json
  std::vector<std::string> without = {};
  std::string vocabulary = {};  // more tokens
};

// A directory of one of the layouts, with made-up weights.
class LateDirectory {
 public:
  LateDirectory(const io::Json& fixture, bool pylate, const Changes& changes = {})
      : case_(ArchitectureCase::of(fixture)), pylate_(pylate) {
    io::Json config = *fixture.find("config");
    if (!pylate) {
      io::Json names = io::Json::array();
      names.append("HF_ColBERT");
      config.set("architectures", std::move(names));
    }
    std::string vocabulary;
    for (const io::Json& token : fixture.find("vocabulary")->items()) {
      vocabulary += token.string() + "\n";
    }
    add("config.json", config.dump(), changes);
    add("vocab.txt", vocabulary + changes.vocabulary, changes);
    add("tokenizer_config.json", R"({"do_lower_case":true})", changes);
    const io::Json& late = *fixture.find("late");
    if (pylate) {
      add_pylate(late, changes);
    } else {
      add_colbert(late, changes);
    }
  }

  [[nodiscard]] Result<File> convert(const convert::Options& options = {}) const {
    const File main = formats::safetensors::testing::from_tensors(tensors(false));
    if (!pylate_) return convert::testing::run(main, files_, options);
    const File dense = formats::safetensors::testing::from_tensors(tensors(true));
    const io::MemorySource main_source(main);
    const io::MemorySource dense_source(dense);
    convert::SourceFiles sources(main_source, files_);
    sources.add("1_Dense/model.safetensors", dense_source);
    return convert::testing::run(sources, {main, dense}, options);
  }

 private:
  void add(const std::string& name, const std::string& content, const Changes& changes) {
    if (std::ranges::find(changes.without, name) == changes.without.end()) {
      files_.add(name, content);
    }
  }

  void add_colbert(const io::Json& late, const Changes& changes) {
    add("artifact.metadata",
        concat({R"({"dim":)", count_in(late, "dim"), R"(,"query_maxlen":)",
                count_in(late, "query_length"), R"(,"doc_maxlen":)",
                count_in(late, "document_length"), R"(,"attend_to_mask_tokens":)",
                flag_text(flag_in(late, "attend", false)), R"(,"lr":1e-5,"resume":false)",
                changes.settings, "}"}),
        changes);
  }

  void add_pylate(const io::Json& late, const Changes& changes) {
    add("modules.json",
        R"([{"path":"","type":"sentence_transformers.models.Transformer"},
            {"path":"1_Dense","type":"pylate.models.Dense.Dense"}])",
        changes);
    const uint64_t width = case_.config.hidden_size;
    add("1_Dense/config.json",
        concat({R"({"in_features":)", width, R"(,"out_features":)", count_in(late, "dim"),
                R"(,"bias":false,"use_residual":false,
                    "activation_function":"torch.nn.modules.linear.Identity"})"}),
        changes);
    add("config_sentence_transformers.json",
        concat({R"({"model_type":"ColBERT","similarity_fn_name":"MaxSim","query_prefix":"[unused0]",
                    "document_prefix":"[unused1]","query_length":)",
                count_in(late, "query_length"), R"(,"document_length":)",
                count_in(late, "document_length"), R"(,"attend_to_expansion_tokens":)",
                flag_text(flag_in(late, "attend", false)), R"(,"do_query_expansion":)",
                flag_text(flag_in(late, "expand", true)), changes.settings, "}"}),
        changes);
  }

  // The tensors of the main file, or of the Dense module.
  [[nodiscard]] std::vector<SafeTensor> tensors(bool of_module) const {
    std::vector<SafeTensor> made;
    for (size_t i = 0; i < case_.model.tensors.size(); ++i) {
      const model::TensorEntry& entry = case_.model.tensors[i];
      const bool projection = entry.name == "linear.weight";
      if ((projection && pylate_) != of_module) continue;
      const AlignedBuffer bytes = case_.bytes(i);
      const auto extents = entry.shape.extents();
      const bool prefixed = !projection && !pylate_;
      made.push_back(
          {(prefixed ? "bert." : "") + entry.name,
           "F32",
           {extents.begin(), extents.end()},
           std::string(reinterpret_cast<const char*>(bytes.bytes().data()), bytes.bytes().size())});
    }
    return made;
  }

  ArchitectureCase case_;
  bool pylate_;
  SideFiles files_;
};

}  // namespace ambry::api::testing
