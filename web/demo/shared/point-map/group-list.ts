// The groups of a map as buttons. Each moves the map to its group.

import { formatCount } from '../base/format.ts';
import { button, element } from '../dom/dom.ts';
import { groupColours } from './map-colours.ts';
import type { PointMapData } from './points.ts';

interface GroupList {
  readonly element: HTMLElement;
  /** Shows the groups. Without groups the list is hidden. */
  show(data: PointMapData | null): void;
}

function pointsIn({ members }: PointMapData, group: number): number[] {
  const points: number[] = [];
  members.forEach((member, point) => {
    if (member === group) {
      points.push(point);
    }
  });
  return points;
}

export function groupList(goTo: (points: readonly number[]) => void): GroupList {
  const list = element('ul', 'map-groups');
  list.setAttribute('aria-label', 'Groups of the map');
  const summary = element('summary');
  const fold = element('details', 'fold map-group-fold', summary, list);
  return {
    element: fold,
    show(data) {
      const named = (data?.groups ?? [])
        .map((group, i) => ({ ...group, i }))
        .filter(({ name, count }) => name !== '' && count > 0)
        .sort((a, b) => b.count - a.count);
      fold.hidden = named.length === 0;
      summary.textContent = `Groups of the map (${named.length})`;
      list.replaceChildren(
        ...named.map(({ name, count, i }) => {
          const choose = button('', 'quiet', () => data !== null && goTo(pointsIn(data, i)));
          const swatch = element('span', `swatch group-${(i % groupColours) + 1}`);
          swatch.setAttribute('aria-hidden', 'true');
          choose.append(swatch, name, element('span', 'count', formatCount(count)));
          return element('li', '', choose);
        }),
      );
    },
  };
}
