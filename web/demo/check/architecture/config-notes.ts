// What the configuration tells about the parts of a layer. Encoders, decoders and networks name their facts differently.

import type { Inspection } from 'ambry';
import { formatCount } from '../../shared/base/format.ts';

export type Config = Readonly<Record<string, unknown>>;

/** The first of these facts that is a positive number. */
function numberOf(config: Config, ...names: readonly string[]): number | null {
  for (const name of names) {
    const value = config[name];
    if (typeof value === 'number' && value > 0) {
      return value;
    }
  }
  return null;
}

function textOf(config: Config, ...names: readonly string[]): string {
  const found = names.map((name) => config[name]).find((value) => typeof value === 'string');
  return typeof found === 'string' ? found : '';
}

/** `12 heads, 4 for keys and values` */
export function attentionNote(config: Config): string {
  const heads = numberOf(config, 'numHeads', 'n_heads', 'num_attention_heads');
  const shared = numberOf(config, 'n_kv_heads', 'num_key_value_heads');
  if (heads === null) {
    return '';
  }
  const text = `${formatCount(heads)} ${heads === 1 ? 'head' : 'heads'}`;
  return shared === null || shared === heads
    ? text
    : `${text}, ${formatCount(shared)} for keys and values`;
}

/** `384 → 1,536 → 384, gelu` */
export function mlpNote(config: Config): string {
  const width = numberOf(config, 'hiddenSize', 'n_embd', 'hidden_size');
  const inner = numberOf(config, 'intermediateSize', 'n_ff', 'intermediate_size');
  if (width === null || inner === null) {
    return '';
  }
  const act = textOf(config, 'hiddenAct', 'activation_fn', 'hidden_act');
  const sizes = `${formatCount(width)} → ${formatCount(inner)} → ${formatCount(width)}`;
  return act === '' ? sizes : `${sizes}, ${act}`;
}

const isObject = (value: unknown): value is Config => typeof value === 'object' && value !== null;

/** `1 → 8, 3 × 3, stride 2` */
function networkLayerNote(layer: Config): string {
  const from = numberOf(layer, 'ic', 'in');
  const to = numberOf(layer, 'oc', 'out', 'n');
  const kernel = numberOf(layer, 'k');
  const stride = numberOf(layer, 'stride');
  const parts = [
    from === null ? (to === null ? '' : formatCount(to)) : `${formatCount(from)} → ${to ?? '?'}`,
    kernel === null ? '' : `${kernel} × ${kernel}`,
    stride === null || stride === 1 ? '' : `stride ${stride}`,
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** A note for each named layer of a network of convolutions. */
export function layerNotes(config: Config): ReadonlyMap<string, string> {
  const layers = Array.isArray(config['layers']) ? config['layers'].filter(isObject) : [];
  return new Map(layers.map((layer) => [textOf(layer, 'name'), networkLayerNote(layer)]));
}

/** What goes into a model of this kind, and what comes out. Null for a file that does not run. */
export function endsOf({ run, config }: Inspection): readonly [string, string] | null {
  const known = config ?? {};
  const size = numberOf(known, 'embeddingDim', 'dims');
  const vector = size === null ? 'A vector' : `A vector of ${formatCount(size)} numbers`;
  switch (run.kind) {
    case 'encoder':
      return ['Text', vector];
    case 'reranker':
      return ['A question and a text', 'A score'];
    case 'questionAnswering':
      return ['A question and a text', 'Where the answer begins and ends'];
    case 'fillMask':
      return ['A text with a mask', 'The missing word'];
    case 'sparseEncoder':
      return ['Text', 'Words and their weights'];
    case 'generator':
      return [
        'Text',
        known['tie_word_embeddings'] === true
          ? 'The next token, with the embeddings as the head'
          : 'The next token',
      ];
    case 'imageClassifier':
      return ['A picture', 'Scores of the classes'];
    case 'textClassifier':
      return ['Text', 'Labels'];
    case 'tokenClassifier':
      return ['Text', 'A label for each token'];
    case 'words':
      return ['A word', vector];
    default:
      return null;
  }
}
