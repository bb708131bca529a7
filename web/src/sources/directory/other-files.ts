// The files of published directories that are not read: the model in other forms, and what is no part of it. The only list
// of them. A file that is neither read nor listed here is named in a warning.

/** Weights in forms that are not opened from a directory, with what to do where there are no others. */
const otherWeights: readonly { readonly pattern: RegExp; readonly why: string }[] = [
  {
    pattern: /^tf_model(-\d+-of-\d+)?\.h5(\.index\.json)?$/,
    why: 'the weights are TensorFlow’s; save the model as safetensors',
  },
  { pattern: /\.ckpt(\.|$)/, why: 'the weights are TensorFlow’s; save the model as safetensors' },
  {
    pattern: /^flax_model(-\d+-of-\d+)?\.msgpack(\.index\.json)?$/,
    why: 'the weights are Flax’s; save the model as safetensors',
  },
  {
    pattern: /^(onnx\/.*|onnx\/?|.*\.onnx(_data|\.data)?)$/,
    why: 'an ONNX file is read if it is named model.onnx, or is the only one here or in onnx/; name one, or take the safetensors of the same model',
  },
  {
    pattern: /^(openvino(\/.*)?\/?|openvino_model.*)$/,
    why: 'the weights are OpenVINO’s; take the safetensors of the same model',
  },
  {
    pattern: /^(coreml(\/.*)?\/?|.*\.mlmodel|.*\.(mlpackage|mlmodelc)(\/.*)?\/?)$/,
    why: 'the weights are Core ML’s; take the safetensors of the same model',
  },
  {
    pattern: /^.*\.(tflite|litertlm)$/,
    why: 'the weights are TensorFlow Lite’s (LiteRT); take the safetensors or the ONNX file of the same model',
  },
  { pattern: /^rust_model\.ot$/, why: 'the weights are those of rust-bert; take the safetensors' },
  {
    pattern: /^consolidated\b.*\.(safetensors|pth)(\.index\.json)?$/,
    why: 'the weights have the names of their authors’ code; take the files that transformers reads, such as model-00001-of-00002.safetensors',
  },
  { pattern: /^.*\.gguf$/i, why: 'a GGUF file is a model by itself; open this file' },
];

/** Files and folders that are no part of a model, or part of it for other programs only. Names of folders end with a
 *  slash. */
const others: readonly RegExp[] = [
  // Texts for people, and pictures in them.
  /^(readme|license|licence|notice|copying|copyright|citation|changelog|use_policy|usage_policy|acceptable_use_policy|model_card|modelcard|security|contributing|system_prompt)\b[^/]*$/i,
  /^(third_party_[^/]*|[^/]*_licen[cs]e(\.txt)?)$/i,
  /\.(md|rst|pdf|png|jpe?g|gif|svg|webp|ico|mp4|html|bib|ipynb)$/i,
  /^(assets|images?|img|imgs|figs?|figures|pictures|media|docs?|examples?|demo|notebooks)\/$/i,
  // What Git, the hub's programs and the system keep there.
  /^\.[^/]+\/?$/,
  /^(thumbs\.db|desktop\.ini|__pycache__\/|configuration\.json|modelfile|imatrix\.(dat|gguf))$/i,
  // What a training and evaluations leave behind.
  /^(training_args|optimizer|scheduler|scaler|rng_state[^/]*|trainer_state|train_results|eval_results|all_results|predict_results|test_results|training_params|trainer_log|latest|zero_to_fp32)(\.(bin|pt|pth|json|jsonl|py))?$/,
  /^(runs|logs?|eval|evals?|evaluation|results?|mteb[^/]*|checkpoint-\d+|global_step\d+|wandb|code|scripts?|src|tests?|training[^/]*|data)\/$/i,
  /^[^/]*(results|evaluation)[^/]*\.(csv|tsv|json|txt)$/i,
  /\.(py|sh|log|csv|tsv|yaml|yml|toml|lock)$/,
  /^(requirements|data_config|hyperparams|params|quantize_config|quant_config|product_quantizer)(\.[a-z]+)?$/,
  // The weights of queries that idf.json has, too.
  /^query_token_weights\.txt$/,
  // For pictures and sound.
  /^(preprocessor_config|processor_config|image_processor_config|video_preprocessor_config)\.json$/,
  // Other forms of a tokenizer.
  /^(unigram\.json|sentencepiece\.bpe\.vocab|spiece\.vocab|tekken\.json|tokenizer\.model\.v\d+.*|tiktoken\.model|original\/|metal\/)$/,
  // Folders of modules that have no files of their own need.
  /^\d+_Normalize\/.*$/,
  /^(gguf|ggml|quantized|int8|fp16|mlx)\/$/i,
];

/** Whether a file, or a folder by its name with a slash at its end, is known to matter to nobody here. */
export function isIrrelevant(path: string): boolean {
  const [, folder] = /^([^/]+\/)/.exec(path) ?? [];
  return (
    otherWeights.some(({ pattern }) => pattern.test(path)) ||
    others.some((pattern) => pattern.test(path) || (folder !== undefined && pattern.test(folder)))
  );
}

/** The first of the files with weights in another form, and what to do. */
export function otherWeightsAmong(
  paths: readonly string[],
): { readonly path: string; readonly why: string } | undefined {
  for (const { pattern, why } of otherWeights) {
    const path = paths.find((each) => pattern.test(each));
    if (path !== undefined) {
      return { path, why };
    }
  }
  return undefined;
}
