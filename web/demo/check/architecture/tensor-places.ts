// Where a tensor belongs in a model, by its name. The formats and their authors name tensors in many ways, so the rules look
// for words. A name that no rule knows belongs to the group "other".

/** The parts of a model outside of its layers. */
export type Group = 'embeddings' | 'conv' | 'linear' | 'norm' | 'pooling' | 'head' | 'other';

/** The parts of a layer. */
export type Piece = 'attention' | 'mlp' | 'norm' | 'conv' | 'other';

/** A tensor of a numbered layer: `blk.3.attn_q.weight` is `attn_q.weight` in layer 3 of the stack `blk`. */
interface LayerPlace {
  readonly stack: string;
  readonly layer: string;
  readonly rest: string;
}

const layerName = /^(.+?)\.(\d+)\.(.+)$/;
/** Numbered parts that are no layers of a stack. */
const numberedHead = /(^|\.)(dense|classifier|score|cls|head|lm_head|out_proj)$/;

/** Null for a tensor that is in no numbered layer. */
export function layerPlaceOf(name: string): LayerPlace | null {
  const [, stack = '', layer = '', rest = ''] = layerName.exec(name) ?? [];
  return stack === '' || numberedHead.test(stack) ? null : { stack, layer, rest };
}

const normWords = /norm|(^|[._])(ln|bn)\d*([._]|$)/;

/** The first rule that matches a name wins. */
const groupRules: readonly (readonly [Group, RegExp])[] = [
  ['embeddings', /^quantized\.|^norms$/],
  ['pooling', /pool/],
  ['head', /(^|[._])(lm_head|embed_out|head|classifier|scores?|cls|predictions|logits)([._]|$)/],
  ['head', /(^|[._])(dense|linear|projection|vocab_\w+)([._]|$)|(^|\.)output(\.|$)/],
  ['embeddings', /embed|embd|(^|\.)(wte|wpe|input|storage|vectors|shared|token_types)(\.|$)/],
  ['norm', normWords],
  ['conv', /conv/],
  ['linear', /(^|[._])(fc|linear|dense)_?\d/],
];

export function groupOf(name: string): Group {
  const text = name.toLowerCase();
  return groupRules.find(([, words]) => words.test(text))?.[0] ?? 'other';
}

const pieceRules: readonly (readonly [Piece, RegExp])[] = [
  ['norm', normWords],
  ['attention', /att|query|qkv|(^|[._])[qkvo](_proj|_lin)?[._]|out_lin|key_proj|value_proj/],
  [
    'mlp',
    /mlp|ffn|ffw|feed_?forward|intermediate|(^|\.)output\.dense|dense|expert|moe|fc_?\w*\d|lin[12]|c_fc|(^|[._])(gate|up|down)(_|\.)|(^|\.)w[123io]\w*\./,
  ],
  ['conv', /conv|downsample|shortcut/],
];

/** `rest` is a name within a layer. */
export function pieceOf(rest: string): Piece {
  const text = rest.toLowerCase();
  return pieceRules.find(([, words]) => words.test(text))?.[0] ?? 'other';
}

/** The name without its last words: `conv1.weight` and `conv1.bias` are of `conv1`. */
export function ownerOf(name: string): string {
  return name.replace(/\.(weight|bias|running_\w+|num_batches_tracked)(\.\w+)?$/, '');
}
