// The whole file drawn to scale as lines of bytes, like text on a page: each line is an equal share of
// the file, each block a region. A block can be pressed to see where it is and how it begins.

import type { FileRegion } from 'ambry';
import { byId, element } from '../shared/dom.ts';
import { formatAmount, formatBytes, formatCount } from '../shared/format.ts';
import type { Store } from '../shared/store.ts';
import { svg } from '../shared/svg.ts';
import { hexDump } from './hex-view.ts';
import { blocksOf, type MapBlock } from './map-layout.ts';
import { type CheckedFile, type CheckState, selectedFile } from './state.ts';

const kLines = 12;
const kLineHeight = 22;
const kLineGap = 4;
const kWidth = 1000;
const kPeekBytes = 96;

const kKindWords: Readonly<Record<FileRegion['kind'], string>> = {
  section: 'headers and tables',
  tensor: 'tensors',
  padding: 'padding',
  unclaimed: 'bytes that nothing points to',
};

function nameOf(region: FileRegion): string {
  return region.name === '' ? kKindWords[region.kind] : region.name;
}

function rectFor({ region, index, line, from, to }: MapBlock): SVGRectElement {
  const rect = svg('rect', {
    class: `block ${region.kind}${index % 2 === 1 ? ' odd' : ''}`,
    x: from * kWidth,
    y: line * (kLineHeight + kLineGap),
    // A region of a few bytes in a file of gigabytes still has to be seen.
    width: Math.max(1.5, (to - from) * kWidth - 1),
    height: kLineHeight,
    'data-index': index,
  });
  const place = `${formatBytes(region.bytes)} from byte ${formatCount(region.offset)}`;
  rect.append(svg('title', {}, `${nameOf(region)}: ${place}`));
  return rect;
}

function drawing(regions: readonly FileRegion[], bytes: number): SVGSVGElement {
  const height = kLines * (kLineHeight + kLineGap) - kLineGap;
  const picture = svg('svg', {
    viewBox: `0 0 ${kWidth} ${height}`,
    preserveAspectRatio: 'none',
    role: 'img',
    'aria-label': `${formatAmount(regions.length, 'region')} over ${formatBytes(bytes)}`,
  });
  picture.append(...blocksOf(regions, bytes, kLines).map(rectFor));
  return picture;
}

function legend(regions: readonly FileRegion[]): HTMLLIElement[] {
  const kinds = Object.keys(kKindWords) as FileRegion['kind'][];
  return kinds.flatMap((kind) => {
    const bytes = regions
      .filter((region) => region.kind === kind)
      .reduce((sum, region) => sum + region.bytes, 0);
    const swatch = element('span', `swatch ${kind}`);
    return bytes === 0
      ? []
      : [element('li', '', swatch, `${kKindWords[kind]}, ${formatBytes(bytes)}`)];
  });
}

/** Buttons for the sections, which are the small and telling ones: the way in for the keyboard. */
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

/** Null where the server does not send ranges. Asks only for the address that was given. */
async function peek(
  source: File | string,
  offset: number,
  length: number,
): Promise<Uint8Array | null> {
  if (source instanceof File) {
    return new Uint8Array(await source.slice(offset, offset + length).arrayBuffer());
  }
  try {
    const range = `bytes=${offset}-${offset + length - 1}`;
    const response = await fetch(source, { headers: { range } });
    if (response.status === 206) {
      return new Uint8Array(await response.arrayBuffer());
    }
    await response.body?.cancel();
  } catch {
    // The dump is a help, not the report: without it the words remain.
  }
  return null;
}

export function mountMapView(store: Store<CheckState>): void {
  const section = byId('map', HTMLElement);
  const strip = byId('map-strip', HTMLElement);
  const key = byId('map-legend', HTMLUListElement);
  const detail = byId('region', HTMLElement);
  let shown: CheckedFile | null = null;
  let regions: readonly FileRegion[] = [];

  const mark = (index: number): void => {
    for (const rect of strip.querySelectorAll('.block')) {
      rect.classList.toggle('chosen', rect.getAttribute('data-index') === String(index));
    }
  };
  const show = async (index: number): Promise<void> => {
    const region = regions[index];
    const file = shown;
    if (region === undefined || file === null) {
      return;
    }
    mark(index);
    const last = region.offset + region.bytes - 1;
    const words = `${nameOf(region)}: ${formatCount(region.bytes)} bytes, ${formatCount(region.offset)} to ${formatCount(last)}`;
    detail.replaceChildren(element('p', '', words));
    const bytes = await peek(file.source, region.offset, Math.min(region.bytes, kPeekBytes));
    if (shown === file && bytes !== null && detail.firstChild?.textContent === words) {
      detail.append(hexDump(bytes, region.offset));
    }
    const row = document.querySelector(`tr[data-tensor="${CSS.escape(region.name)}"]`);
    if (region.kind === 'tensor' && row !== null) {
      row.scrollIntoView({ block: 'nearest' });
      row.classList.add('chosen');
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
}
