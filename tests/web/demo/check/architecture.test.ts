// The drawing of a model's architecture: the parts of a model, their places, and the keys of the tree.
import type { TensorInfo } from 'ambry';
import { describe, expect, it } from 'vitest';
import { cutText } from '../../../../web/demo/check/architecture/drawing.ts';
import {
  drawingWidth,
  layOut,
  partsPerStep,
} from '../../../../web/demo/check/architecture/drawing-layout.ts';
import { type Part, partsOf } from '../../../../web/demo/check/architecture/parts.ts';
import {
  groupOf,
  layerPlaceOf,
  pieceOf,
} from '../../../../web/demo/check/architecture/tensor-places.ts';
import { stepOf } from '../../../../web/demo/check/architecture/tree-keys.ts';

const tensor = (name: string, ...shape: number[]): TensorInfo => {
  const elements = shape.reduce((product, extent) => product * extent, 1);
  return { name, dtype: 'f32', shape, offset: 0, bytes: 4 * elements };
};

const names = (parts: readonly Part[]): string[] =>
  parts.map(({ title, times }) => (times > 1 ? `${title} × ${times}` : title));

const llama = (layers: number, width = 8): TensorInfo[] => [
  tensor('token_embd.weight', 100, width),
  ...Array.from({ length: layers }, (_, i) => [
    tensor(`blk.${i}.attn_norm.weight`, width),
    tensor(`blk.${i}.attn_q.weight`, width, width),
    tensor(`blk.${i}.attn_output.weight`, width, width),
    tensor(`blk.${i}.ffn_norm.weight`, width),
    tensor(`blk.${i}.ffn_up.weight`, 4 * width, width),
  ]).flat(),
  tensor('output_norm.weight', width),
  tensor('output.weight', 100, width),
];

/** Every tensor is in exactly one of the parts, on every level. */
function expectWhole(parts: readonly Part[], tensors: readonly number[]): void {
  const found = parts.flatMap((part) => part.tensors).sort((a, b) => a - b);
  expect(found).toEqual([...tensors].sort((a, b) => a - b));
}

describe('names of tensors', () => {
  it.each([
    ['blk.3.attn_q.weight', 'blk', '3', 'attention'],
    ['blk.3.attn_q_norm.weight', 'blk', '3', 'norm'],
    ['encoder.layer.11.output.dense.weight', 'encoder.layer', '11', 'mlp'],
    ['encoder.layer.0.attention.output.dense.bias', 'encoder.layer', '0', 'attention'],
    ['encoder.layer.0.output.LayerNorm.bias', 'encoder.layer', '0', 'norm'],
    ['model.layers.2.mlp.down_proj.weight', 'model.layers', '2', 'mlp'],
    ['model.layers.2.mlp.experts.7.w1.weight', 'model.layers', '2', 'mlp'],
    ['transformer.h.0.ln_1.weight', 'transformer.h', '0', 'norm'],
    ['transformer.h.0.attn.c_proj.weight', 'transformer.h', '0', 'attention'],
    ['transformer.layer.1.attention.out_lin.weight', 'transformer.layer', '1', 'attention'],
    ['encoder.block.0.layer.1.DenseReluDense.wi.weight', 'encoder.block', '0', 'mlp'],
    ['layer1.0.bn1.running_mean', 'layer1', '0', 'norm'],
    ['layer1.0.conv2.weight', 'layer1', '0', 'conv'],
    ['blk.0.something', 'blk', '0', 'other'],
  ])('%s', (name, stack, layer, piece) => {
    const place = layerPlaceOf(name);
    expect(place).toMatchObject({ stack, layer });
    expect(pieceOf(place?.rest ?? '')).toBe(piece);
  });

  it.each([
    ['token_embd.weight', 'embeddings'],
    ['transformer.wpe.weight', 'embeddings'],
    ['embeddings.LayerNorm.bias', 'embeddings'],
    ['quantized.projection', 'embeddings'],
    ['output_norm.weight', 'norm'],
    ['model.norm.weight', 'norm'],
    ['pooler.dense.weight', 'pooling'],
    ['output.weight', 'head'],
    ['lm_head.weight', 'head'],
    ['dense.0.weight', 'head'],
    ['conv1.weight', 'conv'],
    ['fc2.bias', 'linear'],
    ['rope_freqs.weight', 'other'],
  ])('%s is outside of layers', (name, group) => {
    expect(layerPlaceOf(name)).toBeNull();
    expect(groupOf(name)).toBe(group);
  });
});

describe('the parts of a model', () => {
  it('fold equal layers, and hold every tensor once', () => {
    const tensors = llama(12);
    const parts = partsOf({ tensors, config: { n_heads: 4, n_kv_heads: 2, n_embd: 8, n_ff: 32 } });
    expect(names(parts)).toEqual(['Embeddings', 'Layers 0 to 11 × 12', 'Final norm', 'Head']);
    expectWhole(
      parts,
      tensors.map((_, i) => i),
    );
    const layers = parts[1] as Part;
    expect(names(layers.parts)).toEqual(['Attention', 'MLP', 'Norms', 'Each layer']);
    expect(layers.parts.map(({ note }) => note)).toEqual([
      '4 heads, 2 for keys and values',
      '8 → 32 → 8',
      '8',
      '0 to 11',
    ]);
    expectWhole(layers.parts.slice(0, 3), layers.tensors);
    const each = layers.parts[3] as Part;
    expectWhole(each.parts, layers.tensors);
    expect(each.parts.map(({ title }) => title).slice(0, 2)).toEqual(['Layer 0', 'Layer 1']);
    expect(layers.elements).toBe(12 * (8 + 64 + 64 + 8 + 256));
  });

  it('keep layers of other shapes apart, whatever their types are', () => {
    const tensors = llama(4).map((one) =>
      one.name === 'blk.2.ffn_up.weight' ? { ...one, shape: [64, 8] } : one,
    );
    const types = tensors.map((one, i) => ({ ...one, dtype: i % 2 === 0 ? 'q4_k' : 'q6_k' }));
    const [, layers] = partsOf({ tensors: types, config: null });
    expect(names(layers?.parts ?? [])).toEqual(['Layers 0 to 1, 3 × 3', 'Layer 2']);
    expectWhole(layers?.parts ?? [], layers?.tensors ?? []);
  });

  it('list the tables of a network with their sizes', () => {
    const layers = [
      { name: 'conv.0', kind: 'conv', k: 3, stride: 2, ic: 1, oc: 8 },
      { name: 'conv.1', kind: 'conv', k: 3, stride: 1, ic: 8, oc: 16 },
      { name: 'linear.0', kind: 'linear', in: 1176, out: 10 },
    ];
    const tensors = [
      tensor('conv.0.weight', 8, 1, 3, 3),
      tensor('conv.1.weight', 16, 8, 3, 3),
      tensor('linear.0.weight', 10, 1176),
    ];
    const parts = partsOf({ tensors, config: { layers } });
    expect(names(parts)).toEqual(['Convolutions', 'linear.0']);
    expect(parts[0]?.parts.map(({ note }) => note)).toEqual([
      '1 → 8, 3 × 3, stride 2',
      '8 → 16, 3 × 3',
    ]);
    expect(parts[1]?.note).toBe('1,176 → 10');
  });

  it('never drop a name that no rule knows', () => {
    const tensors = ['', '...', 'a', '😀.😀', '1.2.3', 'x.999999999999999999999999.y'].map((name) =>
      tensor(name, 2),
    );
    const parts = partsOf({ tensors, config: null });
    expectWhole(parts, [0, 1, 2, 3, 4, 5]);
    expect(names(parts)).toContain('Other tensors');
  });

  it('are few on the drawing, even for 100,000 tensors in 20,000 layers', {
    timeout: 30_000,
  }, () => {
    const tensors = llama(20_000, 1);
    const parts = partsOf({ tensors, config: null });
    expect(parts).toHaveLength(4);
    const open = new Set(['blk', 'blk/each']);
    const { boxes } = layOut(parts, { open, counts: new Map() });
    expect(boxes.length).toBeLessThan(2 * partsPerStep);
    expect(boxes.at(-3)).toMatchObject({ left: 20_000 - partsPerStep });
    const counts = new Map([['blk/each', 2 * partsPerStep]]);
    expect(layOut(parts, { open, counts }).boxes.length).toBe(boxes.length + partsPerStep);
  });
});

describe('the drawing', () => {
  const parts = partsOf({ tensors: llama(3), config: null });

  it('has no boxes that overlap, and frames around inner boxes', () => {
    const open = new Set(['blk', 'blk/each', 'blk.1']);
    const { boxes, height, captions } = layOut(parts, { open, counts: new Map() }, [
      'Text',
      'Token',
    ]);
    for (const [i, box] of boxes.entries()) {
      const next = boxes[i + 1];
      if (next !== undefined) {
        expect(next.y).toBeGreaterThanOrEqual(box.y + box.height);
      }
      expect(box.x + box.width).toBeLessThanOrEqual(drawingWidth);
    }
    const frame = boxes.find(({ part }) => part.id === 'blk');
    const inner = boxes.filter(({ level }) => level > 1);
    expect(inner).toHaveLength(4 + 3 + 3);
    for (const box of inner) {
      expect(box.y + box.height).toBeLessThan((frame?.y ?? 0) + (frame?.frame ?? 0));
    }
    expect(captions.map(({ text }) => text)).toEqual(['Text', 'Token']);
    expect(captions.at(-1)?.y).toBeLessThanOrEqual(height);
  });

  it('cuts texts that do not fit', () => {
    expect(cutText('attention', 100, 10)).toBe('attention');
    expect(cutText('attention', 50, 10)).toBe('atte…');
    expect(cutText('attention', -5, 10)).toBe('…');
  });
});

describe('the keys of the tree', () => {
  const items = [
    { id: 'a', level: 1, opens: false, open: false },
    { id: 'b', level: 1, opens: true, open: true },
    { id: 'b1', level: 2, opens: true, open: false },
    { id: 'c', level: 1, opens: false, open: false },
  ];

  it.each([
    ['ArrowDown', 'a', { act: 'focus', id: 'b' }],
    ['ArrowUp', 'a', { act: 'focus', id: 'a' }],
    ['End', 'a', { act: 'focus', id: 'c' }],
    ['Home', 'c', { act: 'focus', id: 'a' }],
    ['ArrowRight', 'b', { act: 'focus', id: 'b1' }],
    ['ArrowRight', 'b1', { act: 'open', id: 'b1' }],
    ['ArrowRight', 'c', null],
    ['ArrowLeft', 'b1', { act: 'focus', id: 'b' }],
    ['ArrowLeft', 'b', { act: 'close', id: 'b' }],
    ['Enter', 'c', { act: 'choose', id: 'c' }],
    ['x', 'c', null],
    ['Enter', 'gone', null],
  ] as const)('%s at %s', (key, id, step) => {
    expect(stepOf(key, items, id)).toEqual(step);
  });
});
