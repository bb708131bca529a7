// Buttons for the sources of the results. They restrict the search to some sources.

import type { SearchHit } from 'ambry';
import { formatAmount, formatCount } from '../../shared/base/format.ts';
import { button, element } from '../../shared/dom/dom.ts';
import { replaceChildrenKeeping } from '../../shared/focus/list-keys.ts';
import { sourceOf } from './result-item.ts';

/** Further sources are behind a “more” button. */
const maxChips = 8;

/** A document, or a subject of the built-in notes. */
export interface SourceCount {
  readonly name: string;
  /** The number of its passages among the best hits. */
  readonly count: number;
}

/** The sources of these hits, those with the most hits first. */
export function countSources(hits: readonly SearchHit[]): readonly SourceCount[] {
  const counts = new Map<string, number>();
  for (const { doc } of hits) {
    const name = sourceOf(doc);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  counts.delete('');
  return [...counts].map(([name, count]) => ({ name, count })).sort((a, b) => b.count - a.count);
}

interface SourceChips {
  show(counts: readonly SourceCount[], chosen: readonly string[]): void;
}

/** The pressed buttons are the chosen sources. With none pressed, all sources are searched. */
export function mountSourceChips(
  group: HTMLElement,
  onChoose: (chosen: readonly string[]) => void,
): SourceChips {
  const chips = new Map<string, HTMLButtonElement>();
  let chosen: readonly string[] = [];
  let counts: readonly SourceCount[] = [];
  let showsAll = false;

  // The next click can come before the search has ended, so the choice is kept here at once.
  const choose = (next: readonly string[]): void => {
    chosen = next;
    render();
    onChoose(next);
  };
  const toggle = (name: string): void =>
    choose(chosen.includes(name) ? chosen.filter((other) => other !== name) : [...chosen, name]);
  const chipOf = ({ name, count }: SourceCount): HTMLButtonElement => {
    const chip = chips.get(name) ?? button('', '', () => toggle(name));
    chips.set(name, chip);
    chip.setAttribute('aria-pressed', String(chosen.includes(name)));
    chip.title = `${name}: ${formatAmount(count, 'passage')} among the best hits`;
    chip.replaceChildren(
      element('span', 'name', name),
      ' ',
      element('span', 'count', formatCount(count)),
    );
    return chip;
  };
  const all = button('All sources', '', () => choose([]));
  const more = button('', '', () => {
    showsAll = !showsAll;
    render();
  });
  const render = (): void => {
    const first = chosen.map(
      (name) => counts.find((source) => source.name === name) ?? { name, count: 0 },
    );
    const others = counts.filter(({ name }) => !chosen.includes(name));
    const room = Math.max(0, maxChips - first.length);
    const rest = Math.max(0, others.length - room);
    more.textContent = showsAll ? 'Fewer sources' : `${formatCount(rest)} more`;
    all.hidden = chosen.length === 0;
    const shown = [...first, ...(showsAll ? others : others.slice(0, room))].map(chipOf);
    replaceChildrenKeeping(group, [all, ...shown, ...(rest > 0 ? [more] : [])]);
    group.hidden = counts.length < 2 && chosen.length === 0;
  };
  return {
    show(nextCounts, nextChosen) {
      counts = nextCounts;
      chosen = nextChosen;
      render();
    },
  };
}
