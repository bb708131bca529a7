// Draws the whole file to scale. Each line is an equal part of the file, and each block is a region. A click on a block
// shows its offsets and its first bytes.

import type { FileRegion } from 'ambry';
import { button, byId, element } from '../shared/dom.ts';
import { formatAmount, formatBytes, formatCount } from '../shared/format.ts';
import type { CheckSource } from '../shared/given-sources.ts';
import type { Store } from '../shared/store.ts';
import { svg } from '../shared/svg.ts';
import { hexDump } from './hex-view.ts';
import { blocksOf, type MapBlock } from './map-layout.ts';
import type { CheckSession } from './session.ts';
import { type CheckedFile, type CheckState, selectedFile } from './state.ts';

const lineCount = 12;
const lineHeight = 22;
const lineGap = 4;
const mapWidth = 1000;
const previewBytes = 96;

const kindLabels: Readonly<Record<FileRegion['kind'], string>> = {
  section: 'headers and tables',
  tensor: 'tensors',
  padding: 'padding',
  unclaimed: 'bytes that nothing points to',
};

function nameOf(region: FileRegion): string {
  return region.name === '' ? kindLabels[region.kind] : region.name;
}

function rectFor({ region, index, line, from, to }: MapBlock): SVGRectElement {
  const rect = svg('rect', {
    class: `block ${region.kind}${index % 2 === 1 ? ' odd' : ''}`,
    x: from * mapWidth,
    y: line * (lineHeight + lineGap),
    // A small region of a large file must still be visible.
    width: Math.max(1.5, (to - from) * mapWidth - 1),
    height: lineHeight,
    'data-index': index,
  });
  const range = `${formatBytes(region.bytes)} from byte ${formatCount(region.offset)}`;
  rect.append(svg('title', {}, `${nameOf(region)}: ${range}`));
  return rect;
}

function drawing(regions: readonly FileRegion[], bytes: number): SVGSVGElement {
  const height = lineCount * (lineHeight + lineGap) - lineGap;
  const picture = svg('svg', {
    viewBox: `0 0 ${mapWidth} ${height}`,
    preserveAspectRatio: 'none',
    role: 'img',
    'aria-label': `${formatAmount(regions.length, 'region')} over ${formatBytes(bytes)}`,
  });
  picture.append(...blocksOf(regions, bytes, lineCount).map(rectFor));
  return picture;
}

function legend(regions: readonly FileRegion[]): HTMLLIElement[] {
  const kinds = Object.keys(kindLabels) as FileRegion['kind'][];
  return kinds.flatMap((kind) => {
    const bytes = regions
      .filter((region) => region.kind === kind)
      .reduce((sum, region) => sum + region.bytes, 0);
    const swatch = element('span', `swatch ${kind}`);
    return bytes === 0
      ? []
      : [element('li', '', swatch, `${kindLabels[kind]}, ${formatBytes(bytes)}`)];
  });
}

/** Buttons for the headers, the tables and the unused bytes. The keyboard can reach these. */
function sectionButtons(
  regions: readonly FileRegion[],
  show: (index: number) => void,
): HTMLButtonElement[] {
  return regions.flatMap((region, index) => {
    if (region.kind !== 'section' && region.kind !== 'unclaimed') {
      return [];
    }
    const made = element('button', 'quiet', `${nameOf(region)}, ${formatBytes(region.bytes)}`);
    made.type = 'button';
    made.addEventListener('click', () => show(index));
    return [made];
  });
}

/** The parts of a split model follow one another by their names. */
function wholeOf(source: File | Map<string, File>): Blob {
  if (!(source instanceof Map)) return source;
  return new Blob([...source].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, file]) => file));
}

/** Reads some bytes of the file. Null if the server does not send ranges. */
async function readBytes(
  source: CheckSource,
  offset: number,
  length: number,
): Promise<Uint8Array | null> {
  if (typeof source !== 'string') {
    const part = wholeOf(source).slice(offset, offset + length);
    return new Uint8Array(await part.arrayBuffer());
  }
  try {
    const range = `bytes=${offset}-${offset + length - 1}`;
    const response = await fetch(source, { headers: { range } });
    if (response.status === 206) {
      return new Uint8Array(await response.arrayBuffer());
    }
    await response.body?.cancel();
  } catch {
    // The region's offsets are shown without the dump.
  }
  return null;
}

export function mountMapView(store: Store<CheckState>, session: CheckSession): void {
  const section = byId('map', HTMLElement);
  const strip = byId('map-strip', HTMLElement);
  const key = byId('map-legend', HTMLUListElement);
  const detail = byId('region', HTMLElement);
  let shown: CheckedFile | null = null;
  let regions: readonly FileRegion[] = [];

  const mark = (isMarked: (region: FileRegion | undefined, index: number) => boolean): void => {
    for (const rect of strip.querySelectorAll('.block')) {
      const index = Number(rect.getAttribute('data-index'));
      rect.classList.toggle('chosen', isMarked(regions[index], index));
    }
  };
  const tensorOf = ({ kind, name }: FileRegion): number =>
    kind === 'tensor'
      ? (shown?.inspection?.tensors.findIndex((tensor) => tensor.name === name) ?? -1)
      : -1;
  const show = async (index: number): Promise<void> => {
    const region = regions[index];
    const file = shown;
    if (region === undefined || file === null) {
      return;
    }
    mark((_, other) => other === index);
    const last = region.offset + region.bytes - 1;
    const title = `${nameOf(region)}: ${formatCount(region.bytes)} bytes, ${formatCount(region.offset)} to ${formatCount(last)}`;
    detail.replaceChildren(element('p', '', title));
    const tensor = tensorOf(region);
    if (tensor >= 0) {
      session.pickTensor(tensor);
      detail.append(button('Show it in the table', 'quiet', () => session.goToTable(tensor)));
    }
    const bytes = await readBytes(file.source, region.offset, Math.min(region.bytes, previewBytes));
    if (shown === file && bytes !== null && detail.firstChild?.textContent === title) {
      detail.append(hexDump(bytes, region.offset));
    }
  };
  strip.addEventListener('click', ({ target }) => {
    if (target instanceof SVGRectElement) {
      void show(Number(target.getAttribute('data-index')));
    }
  });
  store.watch(['files', 'selected'], (state) => {
    const file = selectedFile(state);
    const inspection = file?.inspection ?? null;
    section.hidden = inspection === null;
    if (inspection === null || inspection === shown?.inspection) {
      return;
    }
    shown = file;
    regions = inspection.regions;
    detail.replaceChildren(...sectionButtons(regions, (index) => void show(index)));
    strip.replaceChildren(drawing(regions, inspection.bytes));
    key.replaceChildren(...legend(regions));
  });
  store.watch(['marked'], ({ marked }) => {
    const tensors = shown?.inspection?.tensors ?? [];
    const names = new Set(marked.map((index) => tensors[index]?.name));
    mark((region) => region?.kind === 'tensor' && names.has(region.name));
  });
}
