// The architecture of the selected file as a drawing, with the details of the chosen part beside it.

import type { Inspection } from 'ambry';
import { formatAmount } from '../../shared/base/format.ts';
import type { Store } from '../../shared/base/store.ts';
import { byId, element } from '../../shared/dom/dom.ts';
import type { CheckSession } from '../session/session.ts';
import { type CheckState, selectedFile } from '../session/state.ts';
import { endsOf } from './config-notes.ts';
import { boxId, drawingView } from './drawing.ts';
import { type Box, type Drawing, layOut, partsPerStep } from './drawing-layout.ts';
import { detailView } from './part-detail.ts';
import { type Part, partsOf } from './parts.ts';
import { stepOf } from './tree-keys.ts';

/** The layers are open at first if they have no more parts than this. */
const maxOpenParts = 6;

/** `bert, 199 tensors, 33,360,000 parameters` */
function lineOf({ config, tensors }: Inspection, parts: readonly Part[]): string {
  const stated = config?.['architecture'] ?? config?.['model_type'];
  const elements = parts.reduce((sum, part) => sum + part.elements, 0);
  return [
    typeof stated === 'string' ? stated : '',
    formatAmount(tensors.length, 'tensor'),
    formatAmount(elements, 'parameter'),
  ]
    .filter((text) => text !== '')
    .join(', ');
}

class ArchitectureView {
  readonly #session: CheckSession;
  readonly #place = byId('architecture-drawing', HTMLElement);
  readonly #detail = byId('part', HTMLElement);
  readonly #line = byId('architecture-line', HTMLElement);
  #inspection: Inspection | null = null;
  #parts: readonly Part[] = [];
  #bytes = 0;
  #ends: readonly [string, string] | null = null;
  #drawing: Drawing = { captions: [], boxes: [], arrows: [], height: 0 };
  #open = new Set<string>();
  #counts = new Map<string, number>();
  #chosen = '';
  /** The id of the box that the Tab key reaches. */
  #current = '';

  constructor(session: CheckSession) {
    this.#session = session;
    this.#place.addEventListener('click', ({ target }) => {
      const box = this.#boxAt(target);
      if (box !== null) {
        this.#choose(box);
      }
    });
    this.#place.addEventListener('keydown', (event) => this.#onKey(event));
    this.#place.addEventListener('focusin', ({ target }) => {
      const box = this.#boxAt(target);
      if (box !== null && boxId(box) !== this.#current) {
        this.#setCurrent(boxId(box), false);
      }
    });
  }

  /** True if the names of the tensors tell no parts. */
  get isUnknown(): boolean {
    return this.#parts.every(({ role }) => role === 'other');
  }

  show(inspection: Inspection): void {
    if (inspection === this.#inspection) {
      return;
    }
    this.#inspection = inspection;
    this.#parts = partsOf(inspection);
    this.#bytes = this.#parts.reduce((sum, { bytes }) => sum + bytes, 0);
    this.#line.textContent = lineOf(inspection, this.#parts);
    this.#ends = endsOf(inspection);
    this.#counts.clear();
    this.#chosen = '';
    this.#current = this.#parts[0]?.id ?? '';
    // The parts of the layers tell what the model is.
    const layers = this.#parts.filter(({ role }) => role === 'layers');
    const opens = layers.length === 1 && (layers[0]?.parts.length ?? 0) <= maxOpenParts;
    this.#open = new Set(opens ? layers.map(({ id }) => id) : []);
    this.#draw();
    this.#describe(null);
  }

  /** Forgets the chosen part, after something else was chosen on the page. */
  unchoose(): void {
    if (this.#chosen === '') {
      return;
    }
    this.#chosen = '';
    this.#draw();
    this.#describe(null);
  }

  #draw(): void {
    const { activeElement } = document;
    const focused = this.#place.contains(activeElement);
    const shown = { open: this.#open, counts: this.#counts };
    this.#drawing = layOut(this.#parts, shown, this.#ends);
    if (!this.#drawing.boxes.some((box) => boxId(box) === this.#current)) {
      this.#current = this.#parts[0]?.id ?? '';
    }
    this.#place.replaceChildren(drawingView(this.#drawing, this.#bytes, this.#chosen));
    this.#setCurrent(this.#current, focused);
  }

  #setCurrent(id: string, focus: boolean): void {
    this.#current = id;
    for (const view of this.#place.querySelectorAll<SVGGElement>('[data-part]')) {
      const isCurrent = view.dataset['part'] === id;
      view.setAttribute('tabindex', isCurrent ? '0' : '-1');
      if (isCurrent && focus) {
        view.focus();
      }
    }
  }

  #boxAt(target: EventTarget | null): Box | null {
    const view = target instanceof Element ? target.closest<SVGGElement>('[data-part]') : null;
    const id = view?.dataset['part'];
    return this.#drawing.boxes.find((box) => boxId(box) === id) ?? null;
  }

  #onKey(event: KeyboardEvent): void {
    const box = this.#boxAt(event.target);
    if (box === null || event.altKey || event.ctrlKey || event.metaKey) {
      return;
    }
    const items = this.#drawing.boxes.map((item) => ({
      id: boxId(item),
      level: item.level,
      opens: item.left === 0 && item.part.parts.length > 0,
      open: item.open,
    }));
    const step = stepOf(event.key, items, boxId(box));
    if (step === null) {
      return;
    }
    event.preventDefault();
    if (step.act === 'focus') {
      this.#setCurrent(step.id, true);
    } else if (step.act === 'choose') {
      this.#choose(box);
    } else {
      this.#toggle(box.part.id);
    }
  }

  #toggle(id: string): void {
    if (!this.#open.delete(id)) {
      this.#open.add(id);
    }
    this.#draw();
  }

  /** Opens or closes the part that is chosen already. Another part becomes the chosen one. */
  #choose(box: Box): void {
    const { part, left } = box;
    if (left > 0) {
      const shown = this.#counts.get(part.id) ?? partsPerStep;
      this.#current = part.parts[shown]?.id ?? this.#current;
      this.#counts.set(part.id, shown + partsPerStep);
      this.#draw();
      return;
    }
    const again = this.#chosen === part.id;
    this.#chosen = part.id;
    this.#current = part.id;
    if (part.parts.length > 0 && (again || !box.open)) {
      this.#toggle(part.id);
    } else {
      this.#draw();
    }
    this.#describe(part);
    this.#session.listPart({ title: part.title, tensors: part.tensors });
  }

  #describe(part: Part | null): void {
    const tensors = this.#inspection?.tensors ?? [];
    if (part === null) {
      this.#detail.replaceChildren(
        element(
          'p',
          'note',
          'Choose a part to see its tensors, here, in the map and in the table.',
        ),
      );
      return;
    }
    const views = detailView(part, tensors, {
      showAll: () => this.#session.goToTable(null),
      show: (index) => this.#session.goToTable(index),
    });
    this.#detail.replaceChildren(...views);
  }
}

export function mountArchitecture(store: Store<CheckState>, session: CheckSession): void {
  const section = byId('architecture', HTMLElement);
  const view = new ArchitectureView(session);
  store.watch(['files', 'selected'], (state) => {
    const inspection = selectedFile(state)?.inspection ?? null;
    if (inspection !== null) {
      view.show(inspection);
    }
    // A graph says more than one box for all tensors.
    const saysLess = view.isUnknown && (inspection?.graph?.nodes.length ?? 0) > 0;
    section.hidden = inspection === null || inspection.tensors.length === 0 || saysLess;
  });
  store.watch(['listed'], ({ listed }) => {
    if (listed === null) {
      view.unchoose();
    }
  });
}
