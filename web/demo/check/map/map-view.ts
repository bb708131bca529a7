// The map of the whole file, to scale. A click on a block shows its offsets and its first bytes. Marks are at the bytes of
// problems.

import type { FileRegion, Problem } from 'ambry';
import { formatBytes, formatCount } from '../../shared/base/format.ts';
import type { Store } from '../../shared/base/store.ts';
import { button, byId, element } from '../../shared/dom/dom.ts';
import { sizeOf } from '../../shared/files/given-sources.ts';
import { hexDump } from '../bytes/hex-view.ts';
import { readBytes } from '../bytes/read-bytes.ts';
import type { CheckSession } from '../session/session.ts';
import { type CheckedFile, type CheckState, selectedFile } from '../session/state.ts';
import { kindLabels, type MapContent, mapDrawing, nameOf, sizeFor } from './map-drawing.ts';

const previewBytes = 96;
/** A file can have a header for each of its tensors. */
const maxButtons = 24;

function legend({ regions, problems }: MapContent): HTMLLIElement[] {
  const kinds = Object.keys(kindLabels) as FileRegion['kind'][];
  const shown = kinds.flatMap((kind) => {
    const bytes = regions
      .filter((region) => region.kind === kind)
      .reduce((sum, region) => sum + region.bytes, 0);
    const swatch = element('span', `swatch ${kind}`);
    return bytes === 0
      ? []
      : [element('li', '', swatch, `${kindLabels[kind]}, ${formatBytes(bytes)}`)];
  });
  const mark = element('span', 'swatch problem-mark');
  return problems.length === 0 ? shown : [...shown, element('li', '', mark, 'problems')];
}

/** What the map shows of a file. A file that cannot be inspected has only the bytes of its problems. Null for nothing. */
function contentOf(file: CheckedFile | null): MapContent | null {
  if (file === null) {
    return null;
  }
  const { inspection, report, run, source } = file;
  const found: readonly Problem[] = [...(report?.errors ?? []), ...(report?.warnings ?? [])];
  const problems = found.filter(({ byteOffset }) => byteOffset !== undefined);
  const bytes = inspection?.bytes ?? sizeOf(source) ?? 0;
  const isFile = run?.files === undefined && report?.format !== null;
  const known = inspection !== null || (problems.length > 0 && isFile);
  return known && bytes > 0 ? { regions: inspection?.regions ?? [], bytes, problems } : null;
}

/** How much of the regions lies beyond the end of the file. */
function missingBytes({ regions, bytes }: MapContent): number {
  return regions.reduce(
    (most, { offset, bytes: size }) => Math.max(most, offset + size - bytes),
    0,
  );
}

/** Headers, tables and unused bytes by their names. Tensors are in the table. */
function sectionsOf(regions: readonly FileRegion[]): Map<string, number[]> {
  const sections = new Map<string, number[]>();
  regions.forEach((region, index) => {
    if (region.kind === 'tensor' || region.kind === 'padding') {
      return;
    }
    const name = nameOf(region);
    const indices = sections.get(name);
    if (indices === undefined) {
      sections.set(name, [index]);
    } else {
      indices.push(index);
    }
  });
  return sections;
}

class MapView {
  readonly #session: CheckSession;
  readonly #strip = byId('map-strip', HTMLElement);
  readonly #key = byId('map-legend', HTMLUListElement);
  readonly #line = byId('map-line', HTMLElement);
  readonly #sections = byId('map-sections', HTMLElement);
  readonly #detail = byId('region', HTMLElement);
  #file: CheckedFile | null = null;
  #content: MapContent = { regions: [], bytes: 0, problems: [] };
  #isMarked: (index: number) => boolean = () => false;

  constructor(session: CheckSession) {
    this.#session = session;
    this.#strip.addEventListener('click', ({ target }) => {
      if (target instanceof SVGRectElement && target.hasAttribute('data-index')) {
        const first = Number(target.getAttribute('data-index'));
        const count = Number(target.getAttribute('data-count'));
        void this.#show(Array.from({ length: count }, (_, i) => first + i));
      }
    });
    // Labels are cut to the width, so another width needs another drawing.
    new ResizeObserver(() => this.#draw()).observe(this.#strip);
  }

  show(file: CheckedFile, content: MapContent): void {
    const same = file.inspection === this.#file?.inspection && file.report === this.#file?.report;
    if (same && file.id === this.#file?.id) {
      return;
    }
    const other = file.id !== this.#file?.id || file.inspection !== this.#file?.inspection;
    this.#file = file;
    this.#content = content;
    const missing = missingBytes(content);
    this.#line.textContent =
      missing > 0
        ? `The file is cut off: its parts need ${formatCount(missing)} more bytes than it has.`
        : 'Each line is a tenth of the file. Numbers are the offsets of the lines.';
    this.#key.replaceChildren(...legend(content));
    if (other) {
      this.#isMarked = () => false;
      this.#detail.replaceChildren();
      this.#sections.replaceChildren(...this.#buttons());
    }
    this.#draw();
  }

  markTensors(indices: readonly number[]): void {
    const tensors = this.#file?.inspection?.tensors ?? [];
    const names = new Set(indices.map((index) => tensors[index]?.name));
    this.#mark((index) => {
      const region = this.#content.regions[index];
      return region?.kind === 'tensor' && names.has(region.name);
    });
  }

  #draw(): void {
    const width = Math.floor(this.#strip.clientWidth);
    if (width <= 0) {
      return;
    }
    this.#strip.replaceChildren(mapDrawing(this.#content, sizeFor(width)));
    this.#mark(this.#isMarked);
  }

  #mark(isMarked: (index: number) => boolean): void {
    this.#isMarked = isMarked;
    for (const rect of this.#strip.querySelectorAll('.block')) {
      const first = Number(rect.getAttribute('data-index'));
      const count = Number(rect.getAttribute('data-count'));
      let marked = false;
      for (let i = 0; i < count && !marked; i += 1) {
        marked = isMarked(first + i);
      }
      rect.classList.toggle('chosen', marked);
    }
  }

  /** The keyboard can reach these. */
  #buttons(): HTMLButtonElement[] {
    const { regions } = this.#content;
    return [...sectionsOf(regions)].slice(0, maxButtons).map(([name, indices]) => {
      const bytes = indices.reduce((sum, index) => sum + (regions[index]?.bytes ?? 0), 0);
      const times = indices.length > 1 ? ` × ${formatCount(indices.length)}` : '';
      return button(`${name}${times}, ${formatBytes(bytes)}`, 'quiet', () => {
        void this.#show(indices);
      });
    });
  }

  /** Marks these regions, and describes the first. */
  async #show(indices: readonly number[]): Promise<void> {
    const file = this.#file;
    const region = this.#content.regions[indices[0] ?? -1];
    if (region === undefined || file === null) {
      return;
    }
    const last = region.offset + region.bytes - 1;
    const more = indices.length > 1 ? `. The first of ${formatCount(indices.length)} regions` : '';
    const title = element(
      'p',
      '',
      `${nameOf(region)}: ${formatCount(region.bytes)} bytes, ${formatCount(region.offset)} to ${formatCount(last)}${more}`,
    );
    this.#detail.replaceChildren(title);
    const tensor = this.#tensorOf(region);
    if (tensor >= 0) {
      this.#session.pickTensor(tensor);
      const go = button('Show it in the table', '', () => this.#session.goToTable(tensor));
      this.#detail.append(go);
    }
    const marked = new Set(indices);
    this.#mark((index) => marked.has(index));
    const bytes = await readBytes(
      file.inspected,
      region.offset,
      Math.min(region.bytes, previewBytes),
    );
    if (bytes !== null && title.isConnected) {
      title.after(hexDump(bytes, region.offset));
    }
  }

  #tensorOf({ kind, name }: FileRegion): number {
    const tensors = this.#file?.inspection?.tensors ?? [];
    return kind === 'tensor' ? tensors.findIndex((tensor) => tensor.name === name) : -1;
  }
}

export function mountMapView(store: Store<CheckState>, session: CheckSession): void {
  const section = byId('map', HTMLElement);
  const view = new MapView(session);
  store.watch(['files', 'selected'], (state) => {
    const file = selectedFile(state);
    const content = contentOf(file);
    section.hidden = content === null;
    if (file !== null && content !== null) {
      view.show(file, content);
    }
  });
  store.watch(['marked'], ({ marked }) => view.markTensors(marked));
}
