// How the files of a model's directory are called.

/** The small files beside the weights, by the paths that the core expects. */
export const sideFiles = [
  'config.json',
  'generation_config.json',
  'tokenizer.json',
  'tokenizer.model',
  'tokenizer.bin',
  'tokenizer_config.json',
  'special_tokens_map.json',
  'added_tokens.json',
  'chat_template.jinja',
  'chat_template.json',
  'vocab.txt',
  'vocab.json',
  'merges.txt',
  'sentencepiece.bpe.model',
  'spiece.model',
  'spm.model',
  'modules.json',
  '1_Pooling/config.json',
  'sentence_bert_config.json',
  'sentence_roberta_config.json',
  'sentence_distilbert_config.json',
  'sentence_camembert_config.json',
  'sentence_albert_config.json',
  'sentence_xlm-roberta_config.json',
  'sentence_xlnet_config.json',
  'config_sentence_transformers.json',
  'artifact.metadata',
  'router_config.json',
  'idf.json',
  'adapter_config.json',
  'README.md',
] as const;
export type SideFile = (typeof sideFiles)[number];

/** Parts of a tokenizer.json, which are of use only without it. */
export const tokenizerParts: readonly SideFile[] = [
  'vocab.txt',
  'vocab.json',
  'merges.txt',
  'sentencepiece.bpe.model',
  'spiece.model',
  'spm.model',
];

export function isTokenizerPart(path: string): boolean {
  const names: readonly string[] = tokenizerParts;
  return names.includes(path);
}

/** The files of which one holds the tokens of a model's directory. */
export const modelTokenizers: readonly SideFile[] = [
  'tokenizer.json',
  'tokenizer.model',
  ...tokenizerParts.filter((name) => name !== 'merges.txt'),
];

/** Whether one of `modelTokenizers` is among the files, in the directory or in the folder of a module. */
export function hasModelTokenizer(
  paths: Iterable<string>,
  folders: readonly string[] = [],
): boolean {
  const names: readonly string[] = modelTokenizers;
  return [...paths].some((path) => names.includes(inModule(path, folders).name || path));
}

/** Files that are tokenizers by themselves, the best first. */
export const tokenizerFiles = [
  'tokenizer.json',
  'tekken.json',
  'tokenizer.model',
  'vocab.txt',
] as const;

/** Files that say more of the tokenizer beside them. Chat templates with names do, too. */
export const tokenizerSettings = [
  'tokenizer_config.json',
  'special_tokens_map.json',
  'chat_template.jinja',
  'chat_template.json',
] as const satisfies readonly SideFile[];

export function isTokenizerSetting(path: string): boolean {
  const names: readonly string[] = tokenizerSettings;
  return names.includes(path) || isNamedTemplate(path);
}

/** Whether a file in a directory is a tokenizer by itself, or says more of one. */
export function isOfTokenizer(path: string): boolean {
  const names: readonly string[] = tokenizerFiles;
  return names.includes(path) || isTokenizerSetting(path) || /^[^/]+\.tiktoken$/.test(path);
}

export const weights = 'model.safetensors';
export type WeightsFile = typeof weights;

/** How the weights lie in a directory: in one file, or in several and an index that says which of them has which tensor.
 *  The first form that is there is taken. */
export const weightForms = [
  {
    whole: weights,
    index: 'model.safetensors.index.json',
    shard: /^(?!consolidated\b|adapter_model\.)[^/]+\.safetensors$/,
  },
  {
    whole: 'pytorch_model.bin',
    index: 'pytorch_model.bin.index.json',
    shard: /^pytorch_model-\d+-of-\d+\.bin$/,
  },
] as const;

/** The folder of chat templates with names of their own, such as `tool_use.jinja`. */
export const templateFolder = 'additional_chat_templates';

/** The names that models use. Servers that list no files are asked for these only. */
export const usualTemplates = ['tool_use', 'rag'].map((name) => `${templateFolder}/${name}.jinja`);

function isNamedTemplate(path: string): boolean {
  return path.startsWith(`${templateFolder}/`) && /^[^/]+\/[^/]+\.jinja$/.test(path);
}

/** Whether a file is one of `sideFiles`, in the directory or in the folder of a module, such as `2_Dense`; or a chat
 *  template with a name. `folders` are those that modules.json names. */
export function isSideFile(path: string, folders: readonly string[] = []): boolean {
  const names: readonly string[] = sideFiles;
  return (
    isNamedTemplate(path) || names.includes(path) || names.includes(inModule(path, folders).name)
  );
}

/** The small files that matter to a model, whatever its weights are. `folders` are those that modules.json names. */
export function smallFilesOf<F>(
  named: Iterable<readonly [string, F]>,
  folders: readonly string[],
): (readonly [string, F])[] {
  const others: readonly string[] = [checkpointTokenizer, adapterConfig, readme];
  return [...named].filter(([path]) => isSideFile(path, folders) && !others.includes(path));
}

/** Whether a file holds the weights of a module, such as `2_Dense/model.safetensors`. */
export function isModuleWeights(path: string, folders: readonly string[] = []): boolean {
  return weightForms.some(({ whole }) => whole === inModule(path, folders).name);
}

/** Whether a file holds the weights of the whole model in one of the forms that are read, or is the index of these. */
export function isMainWeights(path: string): boolean {
  return (
    weightForms.some(({ whole, index }) => path === whole || path === index) || pickled.test(path)
  );
}

/** A file in the folder of a module: one of `folders`, or one with a usual name, such as `2_Dense`. The names of other
 *  files are empty. */
export function inModule(
  path: string,
  folders: readonly string[] = [],
): { readonly folder: string; readonly name: string } {
  const [, folder = '', name = ''] = /^(.+)\/([^/]+)$/.exec(path) ?? [];
  const isModule = /^((query|document)_)?\d+_\w+$/.test(folder) || folders.includes(folder);
  return isModule ? { folder, name } : { folder: '', name: '' };
}

/** The heads of BGE-M3 for the tokens of a text: the one that weighs them, and the one that makes their vectors. */
export const sparseLinear = 'sparse_linear.pt';
export const tokenLinears: readonly string[] = [sparseLinear, 'colbert_linear.pt'];

export function isTokenLinear(path: string): boolean {
  return tokenLinears.includes(path);
}

export const shardIndex = weightForms[0].index;

/** A file with weights as PyTorch pickles them, or the index of such files. */
export const pickled = /^pytorch_model[^/]*\.bin(\.index\.json)?$/;

/** What describes an adapter (LoRA), which is no model by itself. */
export const adapterConfig = 'adapter_config.json' satisfies SideFile;

/** The matrices of an adapter, beside its settings. */
export const adapterWeights = 'adapter_model.safetensors';

/** What begins with the authors' statement of the use. It counts where no modules.json says how the model is used. */
export const readme = 'README.md' satisfies SideFile;

/** The tokenizer of a checkpoint of llama2.c. */
export const checkpointTokenizer = 'tokenizer.bin' satisfies SideFile;

/** Whether a file beside its `tokenizer.bin` is a checkpoint of llama2.c. */
export function isCheckpoint(path: string): boolean {
  return /^[^/]+\.bin$/.test(path) && path !== checkpointTokenizer;
}

/** Whether a file in a directory holds weights, in any form. */
export function isWeights(path: string): boolean {
  return /^[^/]+\.(safetensors|bin|gguf|h5|msgpack)$/.test(path) && path !== checkpointTokenizer;
}

const single = /^[^/]+\.(weights|embd|amb|alt|fifu|gguf|ftz|vec|bin|safetensors|pt|pth)$/i;
/** Files that end like a model and are none. */
const noModels = /^(tokenizer|training_args|optimizer|scheduler|tok\d+)\.(bin|pt)$/;

/** Weights that no program opens by themselves: those of an adapter, and those with the names of their authors' code. */
const noWeightsAlone = /^(adapter_model|consolidated(\.\d+)?)\./;

/** Whether a file of a folder may be a model by itself, by its name. A pickled one with a config.json beside it is a part. */
export function isAloneAmong(path: string, named: ReadonlyMap<string, unknown>): boolean {
  const isPickled = named.has('config.json') && /\.(bin|pt|pth)$/.test(path);
  const isPart = isPickled || /-of-\d+\.(safetensors|bin)$/.test(path);
  return single.test(path) && !noModels.test(path) && !isPart && !noWeightsAlone.test(path);
}
