// Shows the answers of the network's variants side by side, and how they differ.

import type { ImageRun, LabelScore } from 'ambry';
import { formatBytes, formatPercent } from '../../shared/base/format.ts';
import type { Store } from '../../shared/base/store.ts';
import { byId, element } from '../../shared/dom/dom.ts';
import { scoreBar } from '../../shared/dom/score-bar.ts';
import type { ClassifyState, Variant } from '../state/state.ts';
import { variantName } from './names.ts';

const classesShown = 5;

function barOf({ label, score }: LabelScore): HTMLLIElement {
  return element(
    'li',
    '',
    element('span', 'class-name', label),
    scoreBar(score),
    element('span', 'score', formatPercent(score)),
  );
}

interface Difference {
  readonly sameAnswer: boolean;
  /** The largest difference between two scores of a class. */
  readonly largest: number;
}

/** Both answers must have all classes. */
export function differenceOf(a: ImageRun, b: ImageRun): Difference {
  const scores = new Map(b.labels.map(({ index, score }) => [index, score]));
  const gaps = a.labels.map(({ index, score }) => Math.abs(score - (scores.get(index) ?? 0)));
  return { sameAnswer: a.labels[0]?.index === b.labels[0]?.index, largest: Math.max(0, ...gaps) };
}

function differenceLine(first: ImageRun, other: ImageRun): string {
  const { sameAnswer, largest } = differenceOf(first, other);
  const difference = `Probabilities differ by up to ${(100 * largest).toFixed(2)} points.`;
  return sameAnswer ? `Same answer. ${difference}` : `Different answer. ${difference}`;
}

function cardOf(
  { kind, name, model }: Variant,
  id: string,
  answer: ImageRun,
  first: ImageRun,
  aboutFirst: string,
): HTMLElement {
  const title = element('h3', '', variantName(kind));
  title.id = id;
  const list = element('ol', 'classes', ...answer.labels.slice(0, classesShown).map(barOf));
  list.setAttribute('aria-labelledby', id);
  const about = answer === first ? aboutFirst : differenceLine(first, answer);
  return element(
    'section',
    'variant',
    title,
    element('p', 'note', `${name}, ${formatBytes(model.info.bytes)}`),
    list,
    element('p', 'difference', about),
  );
}

/** One or two sentences about all answers. */
export function sentenceOf(
  variants: readonly Pick<Variant, 'kind'>[],
  answers: readonly ImageRun[],
): string {
  const [first] = answers;
  const best = first?.labels[0];
  if (first === undefined || best === undefined) {
    return '';
  }
  const others = answers.flatMap((answer, i) => {
    const top = answer.labels[0];
    const kind = variants[i]?.kind;
    return top === undefined || kind === undefined || top.index === best.index
      ? []
      : [`${variantName(kind)} sees ${top.label}`];
  });
  const agreed = answers.length > 1 ? ' All variants agree.' : '';
  const rest = others.length === 0 ? agreed : ` But ${others.join(' and ')}.`;
  return `This looks like ${best.label}, ${formatPercent(best.score)} sure.${rest}`;
}

export function mountAnswersView(store: Store<ClassifyState>): void {
  const sentence = byId('answer', HTMLElement);
  const cards = byId('variants', HTMLElement);
  store.watch(['answers', 'network'], ({ answers, network }) => {
    const variants = network?.variants ?? [];
    const aboutFirst = variants.length > 1 ? 'The other variants are compared with this one.' : '';
    sentence.textContent = sentenceOf(variants, answers);
    cards.replaceChildren(
      ...variants.flatMap((variant, i) => {
        const [first, answer] = [answers[0], answers[i]];
        return first === undefined || answer === undefined
          ? []
          : [cardOf(variant, `variant-${i}`, answer, first, aboutFirst)];
      }),
    );
  });
}
