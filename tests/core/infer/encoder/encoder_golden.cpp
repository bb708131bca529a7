#include "infer/encoder/encoder_golden.h"

#include <gtest/gtest.h>

#include "data_files.h"

namespace ambry {
namespace {

std::vector<std::vector<uint32_t>> id_lists(const io::Json& json) {
  std::vector<std::vector<uint32_t>> lists;
  for (const io::Json& list : json.items()) {
    lists.emplace_back();
    for (const io::Json& id : list.items())
      lists.back().push_back(static_cast<uint32_t>(id.uint()));
  }
  return lists;
}

std::vector<std::pair<std::string, EncoderGolden::Rows>> pooled_rows(const io::Json& json) {
  std::vector<std::pair<std::string, EncoderGolden::Rows>> modes;
  for (const auto& [mode, rows] : json.members()) {
    EncoderGolden::Rows values;
    for (const io::Json& row : rows.items()) {
      values.emplace_back();
      for (const io::Json& number : row.items()) values.back().push_back(number.number());
    }
    modes.emplace_back(mode, std::move(values));
  }
  return modes;
}

}  // namespace

std::vector<infer::Sequence> EncoderGolden::sequences() const {
  std::vector<infer::Sequence> result;
  for (size_t i = 0; i < ids.size(); ++i) result.push_back({ids[i], type_ids[i]});
  return result;
}

EncoderGolden EncoderGolden::read(const std::string& name) {
  const std::string text =
      *ambry::testing::read_text(ambry::testing::fixtures_folder() / "encoder" / (name + ".json"));
  const io::Json json = io::parse_json(text).value();
  const io::Json& facts = *json.find("config");
  const auto fact = [&](const char* key) { return static_cast<uint32_t>(facts.find(key)->uint()); };
  EncoderGolden golden;
  golden.config.vocab_size = fact("vocab_size");
  golden.config.hidden_size = fact("hidden_size");
  golden.config.num_layers = fact("num_layers");
  golden.config.num_heads = fact("num_heads");
  golden.config.intermediate_size = fact("intermediate_size");
  golden.config.max_positions = fact("max_positions");
  golden.config.hidden_act = facts.find("hidden_act")->string();
  golden.int8 = json.find("int8")->boolean();
  golden.normalize = json.find("normalize")->boolean();
  golden.n_prompt = static_cast<size_t>(json.find("n_prompt")->uint());
  golden.ids = id_lists(*json.find("ids"));
  golden.type_ids = id_lists(*json.find("type_ids"));
  golden.pooled = pooled_rows(*json.find("pooled"));
  golden.pooled_without_prompt = pooled_rows(*json.find("pooled_without_prompt"));
  return golden;
}

}  // namespace ambry
