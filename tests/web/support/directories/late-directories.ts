// The small model with late interaction, as a directory in ColBERT's layout or in PyLate's. Texts are marked with tokens
// of its vocabulary.

import { pytorchFile, tensorsIn } from '../files/pytorch-file.ts';
import { modelDirectory, safetensors } from '../fixtures.ts';

type Files = Map<string, Uint8Array<ArrayBuffer>>;
type Settings = Readonly<Record<string, unknown>>;

export const lateDim = 8;
export const queryLength = 9;
export const documentLength = 14;

const width = 32;
const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const decode = (bytes: Uint8Array | undefined) =>
  JSON.parse(new TextDecoder().decode(bytes)) as object;

/** As `colbertv2.0`. `settings` are more members of artifact.metadata. */
export function colbertDirectory(settings: Settings = {}, seed = 1): Files {
  const files = modelDirectory(seed);
  files.delete('1_Pooling/config.json');
  const config = { ...decode(files.get('config.json')), architectures: ['HF_ColBERT'] };
  files.set('config.json', encode(config));
  files.set(
    'artifact.metadata',
    encode({
      dim: lateDim,
      query_maxlen: queryLength,
      doc_maxlen: documentLength,
      query_token_id: 'dog',
      doc_token_id: 'cat',
      mask_punctuation: true,
      attend_to_mask_tokens: false,
      similarity: 'cosine',
      ...settings,
    }),
  );
  const own = tensorsIn(files.get('model.safetensors') as Uint8Array);
  files.delete('model.safetensors');
  files.set('pytorch_model.bin', pytorchFile([...own, ...tensorsIn(projection())]));
  return files;
}

/** As `GTE-ModernColBERT-v1`, over BERT. `settings` are more members of config_sentence_transformers.json. */
export function pylateDirectory(settings: Settings = {}): Files {
  const files = modelDirectory();
  files.delete('1_Pooling/config.json');
  const modules = [
    { idx: 0, name: '0', path: '', type: 'sentence_transformers.models.Transformer' },
    { idx: 1, name: '1', path: '1_Dense', type: 'pylate.models.Dense.Dense' },
  ];
  files.set('modules.json', encode(modules));
  files.set(
    '1_Dense/config.json',
    encode({
      in_features: width,
      out_features: lateDim,
      bias: false,
      activation_function: 'torch.nn.modules.linear.Identity',
      use_residual: false,
    }),
  );
  files.set('1_Dense/model.safetensors', projection());
  files.set(
    'config_sentence_transformers.json',
    encode({
      model_type: 'ColBERT',
      similarity_fn_name: 'MaxSim',
      query_prefix: 'dog',
      document_prefix: 'cat',
      query_length: queryLength,
      document_length: documentLength,
      attend_to_expansion_tokens: false,
      do_query_expansion: true,
      ...settings,
    }),
  );
  return files;
}

const projection = () => safetensors([['linear.weight', [lateDim, width]]], 9);

/** The sum, over the rows of the query, of the largest product with a row of the document. */
export function maxSim(query: Float32Array, document: Float32Array, dim = lateDim): number {
  let sum = 0;
  for (let q = 0; q < query.length; q += dim) {
    let best = Number.NEGATIVE_INFINITY;
    for (let d = 0; d < document.length; d += dim) {
      let product = 0;
      for (let i = 0; i < dim; i++) {
        product += (query[q + i] ?? 0) * (document[d + i] ?? 0);
      }
      best = Math.max(best, product);
    }
    sum += best;
  }
  return sum;
}
