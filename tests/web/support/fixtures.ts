// Small models for the tests that run the built package: a random encoder with a tiny vocabulary, as
// a Hugging Face directory, made from a fixed seed.

export const testVocabulary: readonly string[] = [
  '[PAD]',
  '[UNK]',
  '[CLS]',
  '[SEP]',
  '[MASK]',
  ...'abcdefghijklmnopqrstuvwxyz'.split(''),
  ...'abcdefghijklmnopqrstuvwxyz'.split('').map((letter) => `##${letter}`),
  ...['the', 'cat', 'dog', 'sat', 'on', 'mat', 'ran', 'home', '.', ',', '!'],
];

export interface Shape {
  readonly hidden: number;
  readonly layers: number;
  readonly heads: number;
  readonly intermediate: number;
  readonly positions: number;
}

const small: Shape = { hidden: 32, layers: 2, heads: 2, intermediate: 64, positions: 64 };

/** The directory's files by relative path. Another seed gives another model of the same shape. */
export function modelDirectory(
  seed = 1,
  shape: Shape = small,
): Map<string, Uint8Array<ArrayBuffer>> {
  const text = (value: unknown) => {
    const content = typeof value === 'string' ? value : JSON.stringify(value);
    return new TextEncoder().encode(content);
  };
  const config = {
    model_type: 'bert',
    architectures: ['BertModel'],
    vocab_size: testVocabulary.length,
    hidden_size: shape.hidden,
    num_hidden_layers: shape.layers,
    num_attention_heads: shape.heads,
    intermediate_size: shape.intermediate,
    max_position_embeddings: shape.positions,
    type_vocab_size: 2,
    hidden_act: 'gelu',
    layer_norm_eps: 1e-12,
    pad_token_id: 0,
  };
  const pooling = {
    word_embedding_dimension: shape.hidden,
    pooling_mode_cls_token: false,
    pooling_mode_mean_tokens: true,
  };
  return new Map([
    ['config.json', text(config)],
    ['vocab.txt', text(`${testVocabulary.join('\n')}\n`)],
    ['tokenizer_config.json', text({ do_lower_case: true, tokenizer_class: 'BertTokenizer' })],
    ['1_Pooling/config.json', text(pooling)],
    ['sentence_bert_config.json', text({ max_seq_length: 32, do_lower_case: false })],
    ['model.safetensors', safetensors(tensorsOf(shape), seed)],
  ]);
}

/** The model directory with its weights in two files, and the index that says what lies where. */
export function shardedDirectory(): Map<string, Uint8Array<ArrayBuffer>> {
  const files = modelDirectory();
  const whole = files.get('model.safetensors') as Uint8Array<ArrayBuffer>;
  files.delete('model.safetensors');
  const dataAt = 8 + Number(new DataView(whole.buffer).getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(whole.subarray(8, dataAt))) as Header;
  const map: Record<string, string> = {};
  for (const half of [0, 1]) {
    const name = `model-0000${half + 1}-of-00002.safetensors`;
    const own: Header = {};
    const pieces: Uint8Array[] = [];
    let end = 0;
    Object.entries(header).forEach(
      (
        [
          tensor,
          {
            data_offsets: [from, to],
            ...facts
          },
        ],
        i,
      ) => {
        if (i % 2 !== half) {
          return;
        }
        own[tensor] = { ...facts, data_offsets: [end, end + to - from] };
        end += to - from;
        pieces.push(whole.subarray(dataAt + from, dataAt + to));
        map[tensor] = name;
      },
    );
    files.set(name, withHeader(own, Buffer.concat(pieces)));
  }
  const index = JSON.stringify({ metadata: {}, weight_map: map });
  files.set('model.safetensors.index.json', new TextEncoder().encode(index));
  return files;
}

type Header = Record<
  string,
  { dtype: string; shape: readonly number[]; data_offsets: readonly [number, number] }
>;

export function withHeader(header: Header, data: Uint8Array): Uint8Array<ArrayBuffer> {
  const text = JSON.stringify(header);
  const head = new TextEncoder().encode(text + ' '.repeat((8 - (text.length % 8)) % 8));
  const file = new Uint8Array(8 + head.length + data.length);
  new DataView(file.buffer).setBigUint64(0, BigInt(head.length), true);
  file.set(head, 8);
  file.set(data, 8 + head.length);
  return file;
}

function tensorsOf({ hidden, layers, intermediate, positions }: Shape): [string, number[]][] {
  const norm = (name: string): [string, number[]][] => [
    [`${name}.weight`, [hidden]],
    [`${name}.bias`, [hidden]],
  ];
  const linear = (name: string, rows: number, columns: number): [string, number[]][] => [
    [`${name}.weight`, [rows, columns]],
    [`${name}.bias`, [rows]],
  ];
  const layer = (name: string): [string, number[]][] => [
    ...linear(`${name}.attention.self.query`, hidden, hidden),
    ...linear(`${name}.attention.self.key`, hidden, hidden),
    ...linear(`${name}.attention.self.value`, hidden, hidden),
    ...linear(`${name}.attention.output.dense`, hidden, hidden),
    ...norm(`${name}.attention.output.LayerNorm`),
    ...linear(`${name}.intermediate.dense`, intermediate, hidden),
    ...linear(`${name}.output.dense`, hidden, intermediate),
    ...norm(`${name}.output.LayerNorm`),
  ];
  return [
    ['embeddings.word_embeddings.weight', [testVocabulary.length, hidden]],
    ['embeddings.position_embeddings.weight', [positions, hidden]],
    ['embeddings.token_type_embeddings.weight', [2, hidden]],
    ...norm('embeddings.LayerNorm'),
    ...Array.from({ length: layers }, (_, i) => layer(`encoder.layer.${i}`)).flat(),
  ];
}

/** A file of tensors with values from -0.25 to 0.25. */
export function safetensors(
  tensors: readonly (readonly [string, readonly number[]])[],
  seed: number,
): Uint8Array<ArrayBuffer> {
  const random = generator(seed);
  const header: Header = {};
  const values: number[] = [];
  for (const [name, shape] of tensors) {
    const begin = values.length * 4;
    const size = shape.reduce((product, n) => product * n, 1);
    const isGain = name.endsWith('LayerNorm.weight');
    for (let i = 0; i < size; i++) {
      values.push((isGain ? 1 : 0) + (random() - 0.5) * 0.5);
    }
    header[name] = { dtype: 'F32', shape, data_offsets: [begin, values.length * 4] };
  }
  return withHeader(header, new Uint8Array(Float32Array.from(values).buffer));
}

/** A linear congruential generator in [0, 1). */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
