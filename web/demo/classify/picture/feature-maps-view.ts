// Shows the picture as the network sees it, and the feature maps of each layer.

import type { Activation } from 'ambry';
import { formatAmount, formatCount } from '../../shared/base/format.ts';
import type { Store } from '../../shared/base/store.ts';
import { byId, element } from '../../shared/dom/dom.ts';
import type { ClassifyState } from '../state/state.ts';
import { columnsOf, type Drawn, drawnOf, inputPicture, mapsOf, rangeOf } from './feature-maps.ts';
import { variantName } from './names.ts';

/** A deep network has hundreds of layers. The others are shown on request. */
const layersAtFirst = 24;

function draw(canvas: HTMLCanvasElement, drawn: Drawn): void {
  canvas.width = drawn.width;
  canvas.height = drawn.height;
  const pixels = new ImageData(drawn.pixels, drawn.width, drawn.height);
  canvas.getContext('2d')?.putImageData(pixels, 0, 0);
}

const short = (value: number): string => String(Number(value.toPrecision(3)));

/** `8 maps of 28 × 28` or `10 values` */
function sizeText({ shape: [channels, height, width] }: Activation): string {
  return height * width === 1
    ? formatAmount(channels, 'value')
    : `${formatAmount(channels, 'map')} of ${width} × ${height}`;
}

/** One layer with its canvas, which is drawn again for every picture. */
class LayerView {
  readonly root = element('figure', 'feature-maps');
  readonly #canvas = element('canvas', 'pixels');
  readonly #caption = element('figcaption', '');

  constructor() {
    this.#canvas.setAttribute('role', 'img');
    this.root.append(this.#caption, this.#canvas);
  }

  show(activation: Activation): void {
    const { op, index, shape, values } = activation;
    const drawn = mapsOf(activation);
    const { low, high } = rangeOf(values);
    const name = ['conv', 'linear', 'batchnorm'].includes(op) ? `${op} ${index}` : op;
    const seen = drawnOf(activation);
    const cut = seen < shape[0] ? `, the first ${formatCount(seen)} are drawn` : '';
    const text = `${sizeText(activation)}, from ${short(low)} to ${short(high)}${cut}`;
    this.#caption.replaceChildren(element('b', '', name), ` ${text}`);
    this.#canvas.setAttribute('aria-label', `${name}: ${text}`);
    this.#canvas.hidden = drawn === null;
    this.#canvas.style.setProperty('--columns', String(columnsOf(activation)));
    this.#canvas.classList.toggle('vector', shape[1] * shape[2] === 1);
    if (drawn !== null) {
      draw(this.#canvas, drawn);
    }
  }
}

export function mountFeatureMaps(store: Store<ClassifyState>): void {
  const section = byId('maps', HTMLElement);
  const line = byId('maps-line', HTMLElement);
  const list = byId('maps-layers', HTMLElement);
  const more = byId('more-maps', HTMLButtonElement);
  const seen = byId('seen', HTMLElement);
  const seenCanvas = byId('seen-picture', HTMLCanvasElement);
  const seenLine = byId('seen-line', HTMLElement);
  const views: LayerView[] = [];
  let limit = layersAtFirst;

  const showInput = (input: Activation | undefined): void => {
    const drawn = input === undefined ? null : inputPicture(input);
    seen.hidden = drawn === null;
    if (input === undefined || drawn === null) {
      return;
    }
    const [channels, height, width] = input.shape;
    const colours = channels === 3 ? 'in colours' : 'in greys';
    seenLine.textContent = `What the network sees: ${width} × ${height}`;
    seenCanvas.setAttribute(
      'aria-label',
      `The picture with ${width} × ${height} pixels, ${colours}`,
    );
    draw(seenCanvas, drawn);
  };
  const showLayers = (layers: readonly Activation[]): void => {
    const shown = layers.slice(0, limit);
    while (views.length < shown.length) {
      views.push(new LayerView());
    }
    views.length = shown.length;
    shown.forEach((activation, i) => {
      views[i]?.show(activation);
    });
    const roots = views.map(({ root }) => root);
    if (list.childElementCount !== roots.length) {
      list.replaceChildren(...roots);
    }
    more.hidden = layers.length <= shown.length;
    more.textContent = `Show ${formatCount(layers.length - shown.length)} more layers`;
  };
  const render = ({ answers, network }: ClassifyState): void => {
    const [input, ...layers] = answers[0]?.activations ?? [];
    const kind = network?.variants[0]?.kind;
    section.hidden = layers.length === 0;
    line.textContent =
      kind === undefined
        ? ''
        : `What each layer of the variant “${variantName(kind)}” makes of the picture. Zero is paper, positive values are green, negative ones red.`;
    showInput(input);
    showLayers(layers);
  };
  more.addEventListener('click', () => {
    limit = Number.POSITIVE_INFINITY;
    render(store.state);
  });
  store.watch(['network'], () => {
    limit = layersAtFirst;
  });
  store.watch(['answers', 'network'], render);
}
