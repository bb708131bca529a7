// The usual spelling of format names.

const formatNames: Readonly<Record<string, string>> = {
  amb: 'AMB',
  alt: 'ALT',
  embd: 'EMBD',
  fasttext: 'fastText',
  gguf: 'GGUF',
  llama2c: 'llama2.c',
  pytorch: 'PyTorch',
  text: 'GloVe text',
  textdims: 'word2vec text',
  tinyruntime: 'tinyRuntime',
};

export const formatName = (id: string): string => formatNames[id] ?? id;
