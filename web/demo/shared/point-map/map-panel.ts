// A map of many points with its progress, a line about it, and the list of its groups.

import { element } from '../dom/dom.ts';
import { groupList } from './group-list.ts';
import { PointMap, type PointMapOptions } from './point-map.ts';
import type { PointMapData } from './points.ts';

/** What a map is made of. */
interface ShownMap {
  readonly data: PointMapData;
  /** The line below the map: what it shows. */
  readonly line: string;
  /** Where the points were before, if the map was made anew. */
  readonly start?: Float32Array;
}

export interface MakeOptions {
  readonly signal: AbortSignal;
  /** Shows the part that is done, from 0 to 1. */
  readonly report: (part: number) => void;
}

export class MapPanel {
  readonly map: PointMap;
  readonly #line = element('p', 'note map-line');
  readonly #progress = element('progress', 'map-progress');
  readonly #groups = groupList((points) => this.map.goTo(points));
  #making = new AbortController();

  constructor(body: HTMLElement, options: PointMapOptions) {
    this.#line.setAttribute('aria-live', 'polite');
    this.#progress.setAttribute('aria-label', 'Making the map');
    this.#progress.hidden = true;
    const view = element('div', 'map-view');
    body.append(view, this.#progress, this.#line, this.#groups.element);
    this.map = new PointMap(view, options);
    this.#groups.show(null);
  }

  /** Shows what `make` makes; nothing, with a line that says so, if that is null. Returns false if another call came
   *  meanwhile. The last map stays if this fails. */
  async show(
    make: (options: MakeOptions) => Promise<ShownMap | null>,
    nothing: string,
  ): Promise<boolean> {
    this.#making.abort();
    this.#making = new AbortController();
    const { signal } = this.#making;
    this.#line.textContent = 'Making the map…';
    this.#progress.value = 0;
    this.#progress.hidden = false;
    const report = (part: number): void => {
      if (!signal.aborted) {
        this.#progress.value = part;
      }
    };
    try {
      const made = await make({ signal, report });
      if (signal.aborted) {
        return false;
      }
      this.#progress.hidden = true;
      this.#line.textContent = made?.line ?? nothing;
      this.map.show(made?.data ?? null, made?.start);
      this.#groups.show(made?.data ?? null);
      return true;
    } catch (error) {
      if (signal.aborted) {
        return false;
      }
      this.#progress.hidden = true;
      this.#line.textContent = 'The map could not be made. Close and open it to try again.';
      throw error;
    }
  }
}
