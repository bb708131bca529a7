// What decoders make of a config.json.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "formats/huggingface/config/decoder_config_json.h"
#include "model/decoder/decoder_config.h"

namespace ambry::formats::huggingface::testing {

// `more` is added to AMB's config, as a conversion adds facts that it reads from tensors.
inline model::DecoderConfig published(const std::string& config, const std::string& more = "{}") {
  SideFiles files;
  files.add("config.json", config);
  auto read = read_decoder_config(files, "");
  EXPECT_TRUE(read) << describe(read.error());
  if (!read) return {};
  model::Model model;
  model.config = std::move(read->config);
  const io::Json added = io::parse_json(more, 1000, "config").value();
  for (const auto& [key, value] : added.members()) model.config.set(key, value);
  io::Diagnostics diagnostics;
  auto facts = model::decoder_config(model, diagnostics);
  EXPECT_TRUE(facts) << describe(facts.error());
  return facts ? *facts : model::DecoderConfig();
}

// A list of `n` times the same value, as JSON.
inline std::string list_of(const std::string& value, int n) {
  std::string text = "[" + value;
  for (int i = 1; i < n; ++i) text += ", " + value;
  return text + "]";
}

}  // namespace ambry::formats::huggingface::testing
