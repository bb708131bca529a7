// The boxes and arrows of a graph as SVG.

import { svg } from '../../../shared/dom/svg.ts';
import { cutText } from '../../architecture/drawing.ts';
import {
  characterWidths,
  type GraphLayout,
  lineHeight,
  type PlacedBox,
  type PlacedEdge,
  titleHeight,
} from './layout.ts';

const padding = 10;
/** From one layer to the next an arrow leaves and arrives upright. */
const bow = 0.5;

/** What an operator does, for its colour. */
const roles: readonly (readonly [role: string, operators: RegExp])[] = [
  [
    'weights',
    /^(Conv|ConvTranspose|\w*MatMul\w*|Gemm|\w*Attention\w*|LSTM|GRU|RNN|Einsum|QLinear\w*)$/,
  ],
  [
    'activation',
    /(Relu|Sigmoid|Tanh|Softmax|Gelu|Erf|Elu|Selu|HardSwish|Mish|Clip|SoftPlus|Softsign)$/i,
  ],
  ['norm', /(Normalization|LRN|Dropout)$/],
  ['pool', /(Pool|^Reduce)/],
  [
    'shape',
    /^(Reshape|Transpose|Flatten|Squeeze|Unsqueeze|Slice|Split|Concat|Gather\w*|Shape|Expand|Tile|Pad|Cast|Resize)$/,
  ],
];

const roleOf = ({ box }: PlacedBox): string =>
  box.kind === 'node'
    ? (roles.find(([, operators]) => operators.test(box.title))?.[0] ?? 'other')
    : box.kind;

function boxView(placed: PlacedBox): SVGGElement {
  const { box, x, y, width, height } = placed;
  const room = width - 2 * padding;
  const isEnd = box.kind === 'input' || box.kind === 'output';
  const text = (at: number, className: string, content: string) =>
    svg('text', { x: padding, y: at, class: className }, content);
  return svg(
    'g',
    {
      class: `graph-node ${roleOf(placed)}`,
      transform: `translate(${x} ${y})`,
      'data-box': box.id,
    },
    svg('rect', { width, height, rx: isEnd ? 12 : 4, class: 'graph-node-sheet' }),
    svg('rect', { width: 5, height, class: 'graph-node-role' }),
    text(titleHeight - 7, 'graph-node-title', cutText(box.title, room, characterWidths.title)),
    ...box.lines.map((line, i) =>
      text(
        titleHeight + i * lineHeight + 9,
        'graph-node-line',
        cutText(line, room, characterWidths.line),
      ),
    ),
    svg('title', {}, [box.title, ...box.lines].join('\n')),
  );
}

function pathOf({ points: [first, ...others] }: PlacedEdge): string {
  if (!first) {
    return '';
  }
  let { x, y } = first;
  const steps = others.map((to) => {
    const bend = (to.y - y) * bow;
    const step =
      to.x === x ? `V${to.y}` : `C${x} ${y + bend} ${to.x} ${to.y - bend} ${to.x} ${to.y}`;
    ({ x, y } = to);
    return step;
  });
  return `M${first.x} ${first.y}${steps.join('')}m-4 -6l4 6l4 -6`;
}

function edgeViews(placed: PlacedEdge): SVGElement[] {
  const [from, to] = placed.points;
  const path = svg('path', { d: pathOf(placed), class: 'graph-arrow' });
  const { label, value } = placed.edge;
  path.append(svg('title', {}, label === '' ? value : `${value}\n${label}`));
  if (!placed.labelled || !from || !to) {
    return [path];
  }
  const middle = { x: (from.x + to.x) / 2 + 5, y: (from.y + to.y) / 2 + 3 };
  return [path, svg('text', { ...middle, class: 'graph-type' }, label)];
}

/** Boxes are found by `data-box`, which is the id of the box. */
export function shapesOf({ boxes, edges }: GraphLayout): SVGElement[] {
  const drawn = edges.map(edgeViews);
  return [
    ...drawn.flatMap(([path]) => (path ? [path] : [])),
    ...boxes.map(boxView),
    ...drawn.flatMap(([, label]) => (label ? [label] : [])),
  ];
}
