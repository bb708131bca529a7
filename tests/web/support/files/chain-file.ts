// A small language model whose next token depends on the current one only, so that a test says what it writes: the chain of
// tokens that follows the last token of the prompt.
import { ambOf } from './amb-file.ts';
import { byteTokenizer, chatTemplate, endId, vocabulary } from './language-file.ts';

export interface ChainShape {
  /** Texts, each of which is one token. A byte is a token, too. */
  readonly tokens: readonly string[];
  /** What follows the last character of a prompt: indexes of `tokens`, or bytes as negative numbers (`-0xf0`). Then the
   *  answer ends. No token may come twice. */
  readonly answers: Readonly<Record<string, readonly number[]>>;
  readonly template?: string;
  readonly context?: number;
}

export function chainFile({
  tokens,
  answers,
  template = chatTemplate,
  context = 512,
}: ChainShape): Uint8Array<ArrayBuffer> {
  const count = vocabulary + tokens.length;
  const width = Math.ceil(count / 64) * 64;
  const next = nextTokens(answers);
  const config = JSON.stringify({
    architecture: 'llama',
    n_vocab: count,
    n_embd: width,
    n_layers: 1,
    n_heads: width / 64,
    max_seq_len: context,
    tie_word_embeddings: false,
    tokenizer: { pretokenizer: 'gpt2', add_bos: true, chat_template: template },
  });
  return ambOf(config, byteTokenizer(tokens), tensorsOf(count, width), (name, numbers) => {
    numbers.fill(name.includes('norm') ? 1 : 0);
    if (name === 'model.embed_tokens.weight') {
      for (let token = 0; token < count; token++) {
        numbers[token * width + token] = 1;
      }
    }
    if (name === 'lm_head.weight') {
      for (let token = 0; token < count; token++) {
        numbers[(next.get(token) ?? endId) * width + token] = 2;
      }
    }
  });
}

function nextTokens(answers: ChainShape['answers']): ReadonlyMap<number, number> {
  const next = new Map<number, number>();
  for (const [end, answer] of Object.entries(answers)) {
    let last = end.charCodeAt(0);
    for (const index of answer) {
      const token = index < 0 ? -index : vocabulary + index;
      next.set(last, token);
      last = token;
    }
  }
  return next;
}

function tensorsOf(count: number, width: number): [string, number[]][] {
  const layer = 'model.layers.0.';
  return [
    ['model.embed_tokens.weight', [count, width]],
    [`${layer}input_layernorm.weight`, [width]],
    ...['q', 'k', 'v', 'o'].map((name): [string, number[]] => [
      `${layer}self_attn.${name}_proj.weight`,
      [width, width],
    ]),
    [`${layer}post_attention_layernorm.weight`, [width]],
    [`${layer}mlp.gate_proj.weight`, [64, width]],
    [`${layer}mlp.up_proj.weight`, [64, width]],
    [`${layer}mlp.down_proj.weight`, [width, 64]],
    ['model.norm.weight', [width]],
    ['lm_head.weight', [count, width]],
  ];
}
