// The files of published repositories, by their names.

export const wordPiece = ['config.json', 'tokenizer.json', 'tokenizer_config.json', 'vocab.txt'];
const special = ['special_tokens_map.json', '.gitattributes', 'README.md'];
const sentences = [
  'modules.json',
  '1_Pooling/config.json',
  'sentence_bert_config.json',
  'config_sentence_transformers.json',
];
export const decoder = [
  'config.json',
  'generation_config.json',
  'tokenizer.json',
  'tokenizer_config.json',
];
export const shards = (stem: string, n: number) =>
  Array.from({ length: n }, (_, i) => `${stem}-0000${i + 1}-of-0000${n}`);
export const safetensors = (n: number) => shards('model', n).map((name) => `${name}.safetensors`);

/** Made after published repositories; their names are those of files, nothing of their content. */
export const layouts: Readonly<Record<string, readonly string[]>> = {
  'all-MiniLM-L6-v2': [
    ...[...wordPiece, ...special, ...sentences, 'model.safetensors', 'pytorch_model.bin'],
    ...['tf_model.h5', 'rust_model.ot', 'data_config.json', 'train_script.py'],
    ...['onnx/model.onnx', 'onnx/model_O1.onnx', 'openvino/openvino_model.bin'],
  ],
  'paraphrase-multilingual-MiniLM-L12-v2': [
    ...[...wordPiece, ...special, ...sentences, 'model.safetensors', 'sentencepiece.bpe.model'],
    ...['unigram.json', 'tf_model.h5', 'onnx/model.onnx'],
  ],
  'multilingual-e5-large': [
    ...[
      'config.json',
      'tokenizer.json',
      'sentencepiece.bpe.model',
      'model.safetensors',
      ...special,
    ],
    ...['modules.json', '1_Pooling/config.json', 'sentence_xlm-roberta_config.json'],
    ...['onnx/model.onnx', 'onnx/model.onnx_data', 'onnx/sentencepiece.bpe.model'],
  ],
  'opensearch-neural-sparse-encoding-doc-v3-distill': [
    ...[...wordPiece, ...special, 'model.safetensors', 'idf.json', 'query_token_weights.txt'],
    ...['modules.json', 'router_config.json', 'config_sentence_transformers.json'],
    ...['sentence_bert_config.json', 'document_1_SpladePooling/config.json'],
    ...['config.json', 'model.safetensors', 'tokenizer.json', 'vocab.txt'].map(
      (name) => `query_0_SparseStaticEmbedding/${name}`,
    ),
  ],
  'bge-m3': [
    ...[
      'config.json',
      'tokenizer.json',
      'sentencepiece.bpe.model',
      'pytorch_model.bin',
      ...special,
    ],
    ...[...sentences, 'imgs/bm25.jpg', 'long.jpg', 'onnx/model.onnx_data', 'onnx/Constant_7_attr'],
  ],
  'bert-base-uncased': [
    ...[...wordPiece, ...special, 'model.safetensors', 'pytorch_model.bin', 'flax_model.msgpack'],
    ...['rust_model.ot', 'tf_model.h5', 'LICENSE', 'model.onnx', 'coreml/fill-mask/model.mlmodel'],
  ],
  'nomic-embed-text-v1.5': [
    ...wordPiece,
    ...special,
    ...sentences,
    'model.safetensors',
    'onnx/a.onnx',
  ],
  'gte-multilingual-base': [
    ...['config.json', 'tokenizer.json', ...special, ...sentences, 'model.safetensors'],
    ...['scripts/gte_embedding.py', 'images/mteb.png', 'configuration.py', 'modeling.py'],
  ],
  'snowflake-arctic-embed-m-v2.0': [
    ...['config.json', 'tokenizer.json', ...special, ...sentences, 'model.safetensors'],
    ...['configuration_hf_alibaba_nlp_gte.py', 'onnx/model_int8.onnx'],
  ],
  'ms-marco-MiniLM-L6-v2': [
    ...[...wordPiece, ...special, 'model.safetensors', 'flax_model.msgpack', 'pytorch_model.bin'],
    'CEBinaryClassificationEvaluator_MS-Marco_results.csv',
  ],
  'jina-embeddings-v3': [
    ...['config.json', 'tokenizer.json', ...special, 'modules.json', '1_Pooling/config.json'],
    ...['config_sentence_transformers.json', 'model.safetensors', 'pytorch_model.bin'],
    ...['custom_st.py', 'onnx/model.onnx'],
  ],
  'answerai-colbert-small-v1': [
    ...[...wordPiece, ...special, 'artifact.metadata', 'model.safetensors', 'onnx/model.onnx'],
    'vespa_colbert.onnx',
  ],
  'potion-base-8M': [
    ...['config.json', 'tokenizer.json', 'modules.json', 'model.safetensors', 'README.md'],
    ...['.gitattributes', 'onnx/model.onnx'],
  ],
  'Qwen3-Embedding-0.6B': [
    ...[...decoder, 'vocab.json', 'merges.txt', 'modules.json', '1_Pooling/config.json'],
    ...['config_sentence_transformers.json', 'model.safetensors', 'LICENSE', ...special],
  ],
  'Qwen2.5-1.5B-Instruct': [
    ...[...decoder, 'vocab.json', 'merges.txt', 'model.safetensors', 'LICENSE', ...special],
  ],
  'embeddinggemma-300m': [
    ...['config.json', 'tokenizer.json', 'tokenizer.model', 'added_tokens.json', ...special],
    ...[...sentences, 'generation_config.json', 'model.safetensors', '2_Dense/config.json'],
    ...['2_Dense/model.safetensors', '3_Dense/config.json', '3_Dense/model.safetensors'],
  ],
  'Mistral-7B-Instruct-v0.3': [
    ...[...decoder, ...safetensors(3), 'model.safetensors.index.json', 'tokenizer.model'],
    ...['consolidated.safetensors', 'params.json', 'tokenizer.model.v3', ...special],
  ],
  'Llama-3.2-1B-Instruct': [
    ...[...decoder, 'model.safetensors', 'USE_POLICY.md', 'LICENSE.txt', ...special],
    ...['original/consolidated.00.pth', 'original/params.json', 'original/tokenizer.model'],
  ],
  'gpt-oss-20b': [
    ...[...decoder, ...safetensors(3), 'model.safetensors.index.json', 'chat_template.jinja'],
    ...['original/config.json', 'original/dtypes.json', 'original/model.safetensors'],
    ...['metal/model.bin', 'USAGE_POLICY', 'LICENSE', ...special],
  ],
  'Ministral-3-3B-Instruct-2512': [
    ...['config.json', 'generation_config.json', 'tokenizer.json', 'tokenizer_config.json'],
    ...['consolidated.safetensors', 'params.json', 'tekken.json', 'processor_config.json'],
    ...['chat_template.jinja', 'SYSTEM_PROMPT.txt', 'model.safetensors', ...special],
  ],
  'Qwen3-VL-4B-Instruct': [
    ...[...decoder, ...safetensors(2), 'model.safetensors.index.json', 'vocab.json', 'merges.txt'],
    ...['chat_template.json', 'preprocessor_config.json', 'video_preprocessor_config.json'],
  ],
  'SmolVLM2-500M-Video-Instruct': [
    ...[
      ...decoder,
      'model.safetensors',
      'vocab.json',
      'merges.txt',
      'added_tokens.json',
      ...special,
    ],
    ...['chat_template.json', 'preprocessor_config.json', 'processor_config.json'],
    ...['onnx/decoder_model_merged.onnx', 'onnx/vision_encoder.onnx'],
  ],
  'granite-4.0-350m': [
    ...[...decoder, 'model.safetensors', 'chat_template.jinja', 'vocab.json', 'merges.txt'],
    ...special,
  ],
  'LFM2-1.2B': [...[...decoder, 'model.safetensors', 'chat_template.jinja', 'LICENSE'], ...special],
  'Falcon-H1-0.5B-Instruct': [
    ...[...decoder, 'model.safetensors', 'chat_template.jinja', 'imatrix.dat', ...special],
    'falcon_h1_LICENSE.txt',
  ],
  'ERNIE-4.5-0.3B-PT': [
    ...[...decoder, 'model.safetensors', 'tokenizer.model', 'added_tokens.json', ...special],
    ...['chat_template.jinja', 'tokenization_ernie4_5.py'],
  ],
  'bitnet-b1.58-2B-4T': [
    ...[...decoder, 'model.safetensors', 'configuration_bitnet.py', 'modeling_bitnet.py'],
    ...['data_summary_card.md', 'LICENSE', ...special],
  ],
  'gte-modernbert-base': [
    ...['config.json', 'tokenizer.json', 'tokenizer_config.json', 'model.safetensors', ...special],
    ...['modules.json', '1_Pooling/config.json', 'sentence_bert_config.json'],
    ...['config_sentence_transformers.json', 'onnx/model_q4f16.onnx'],
  ],
  'files for other programs': [
    ...[...decoder, ...safetensors(2), 'model.safetensors.index.json', 'Modelfile', ...special],
    'THIRD_PARTY_NOTICES',
  ],
  'TinyLlama-1.1B-Chat-v1.0': [
    ...[...decoder, 'model.safetensors', 'tokenizer.model', 'eval_results.json', ...special],
  ],
  'phi-2': [
    ...[...decoder, ...safetensors(2), 'model.safetensors.index.json', 'added_tokens.json'],
    ...['vocab.json', 'merges.txt', 'CODE_OF_CONDUCT.md', 'NOTICE.md', 'SECURITY.md', ...special],
  ],
};

/** As the hub's pages of these repositories list them. */
export const listed: Readonly<Record<string, readonly string[]>> = {
  'jinaai/jina-reranker-v3': [
    ...[...decoder, ...special, 'added_tokens.json', 'model.safetensors', 'modeling.py'],
  ],
  'jinaai/jina-reranker-v1-tiny-en': [
    ...['config.json', 'tokenizer.json', 'tokenizer_config.json', 'vocab.json', 'merges.txt'],
    ...[...special, 'configuration_bert.py', 'modeling_bert.py', 'model.safetensors'],
    ...['pytorch_model.bin', 'onnx/model.onnx'],
  ],
  'mixedbread-ai/mxbai-rerank-large-v2': [
    ...[...decoder, ...special, 'LICENSE', 'added_tokens.json', 'merges.txt', 'vocab.json'],
    'model.safetensors',
  ],
  'mixedbread-ai/mxbai-rerank-base-v1': [
    ...['config.json', 'tokenizer.json', 'tokenizer_config.json', 'added_tokens.json', ...special],
    ...['spm.model', 'model.safetensors', 'onnx/model.onnx'],
  ],
  'BAAI/bge-reranker-v2-gemma': [
    ...[...decoder, ...special, ...safetensors(3), 'model.safetensors.index.json'],
    ...['tokenizer.model', 'assets/BEIR-bge-en-v1.5.png'],
  ],
  'ibm-granite/granite-embedding-125m-english': [
    ...['config.json', 'tokenizer.json', 'tokenizer_config.json', 'vocab.json', ...special],
    ...['modules.json', '1_Pooling/config.json', 'sentence_bert_config.json'],
    ...['model.safetensors', 'pytorch_model.bin', 'trainer_state.json'],
  ],
  'Alibaba-NLP/gte-Qwen2-1.5B-instruct': [
    ...[...decoder, ...special, ...sentences, ...safetensors(2), 'model.safetensors.index.json'],
    ...['added_tokens.json', 'merges.txt', 'vocab.json', 'modeling_qwen.py'],
    'scripts/eval_mteb.py',
  ],
  'stella_en_1.5B_v5': [
    ...[...decoder, ...special, ...sentences, 'model.safetensors', 'pytorch_model.bin'],
    ...['2_Dense/config.json', '2_Dense_1024/config.json', '2_Dense_1024/model.safetensors'],
    ...['2_Dense_1024/pytorch_model.bin', '2_Dense_8192/config.json'],
    ...['2_Dense_8192/model.safetensors', '2_Dense_8192/pytorch_model.bin'],
  ],
  'intsig-textin/acge_text_embedding': [
    ...[...wordPiece, ...special, ...sentences, 'model.safetensors', 'pytorch_model.bin'],
    ...['2_Dense/config.json', '2_Dense/model.safetensors', '2_Dense/pytorch_model.bin'],
    ...['img/logo.png', 'onnx/model.onnx', 'onnx/quantize_config.json'],
    'result/acge_text_embedding_bf16/AFQMC.json',
  ],
  'Jasper-Token-Compression-600M': [
    ...[...decoder, ...special, 'LICENSE', 'README_EN.md', 'configuration.json', 'custom_st.py'],
    ...['modeling_qwen3_jasper.py', 'modules.json', 'sentence_bert_config.json'],
    ...['config_sentence_transformers.json', 'model.safetensors'],
  ],
  'lodestone-base-4096-v1': [
    ...[...wordPiece, ...special, 'modules.json', '1_Pooling/config.json', 'pytorch_model.bin'],
    ...['bert_layers.py', 'Training.py', 'Dataloading.ipynb', 'mteb_results/ArguAna.json'],
  ],
  'zeroentropy/zerank-2': [
    ...[...decoder, ...special, 'chat_template.jinja', 'modules.json', '1_LogitScore/config.json'],
    ...['config_sentence_transformers.json', 'sentence_bert_config.json', ...safetensors(2)],
    'model.safetensors.index.json',
  ],
};
