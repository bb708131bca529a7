// Replaces the entities of a text. Pages fetch this file with the first such call.
import { bad } from '../classification-head/check-inputs.ts';
import { entitiesOf } from './entities.ts';
import type { Span } from './spans.ts';
import { type RedactOptions, type Replacement, redactDefaults, type TextEntity } from './types.ts';

/** The text with the replacement for each span. White space at the ends of a span stays, and spans that overlap are replaced
 *  together, with the label of the longer one. */
export function redacted(text: string, spans: readonly Span[], options: RedactOptions): string {
  const { replacement = redactDefaults.replacement } = options;
  const whole = apart(spans.map((span) => trimmed(text, span)));
  const entities = entitiesOf(text, whole, options);
  let end = 0;
  const parts = whole.flatMap((span, i) => {
    const before = text.slice(end, span.start);
    end = span.end;
    return [before, replacementOf(entities[i] as TextEntity, replacement)];
  });
  return [...parts, text.slice(end)].join('');
}

/** Tokens of some models begin with the space before the word. */
function trimmed(text: string, span: Span): Span {
  const part = text.slice(span.start, span.end);
  const start = span.start + part.length - part.trimStart().length;
  return { ...span, start, end: Math.max(start, span.start + part.trimEnd().length) };
}

function apart(spans: readonly Span[]): Span[] {
  const found: Span[] = [];
  const withText = spans.filter(({ start, end }) => start < end);
  for (const span of withText.sort((a, b) => a.start - b.start)) {
    const last = found.at(-1);
    if (last && span.start < last.end) {
      const { label, score } = span.end - span.start > last.end - last.start ? span : last;
      const end = Math.max(last.end, span.end);
      found[found.length - 1] = { label, score, start: last.start, end };
    } else {
      found.push(span);
    }
  }
  return found;
}

function replacementOf(entity: TextEntity, replacement: Replacement): string {
  if (typeof replacement === 'string') {
    return replacement.replaceAll('{label}', () => entity.label);
  }
  const given: unknown = replacement(entity);
  if (typeof given === 'string') {
    return given;
  }
  throw bad(`The function must return a text, not ${typeof given}.`, 'options.replacement');
}
