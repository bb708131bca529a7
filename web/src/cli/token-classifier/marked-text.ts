// A text with its entities marked, for terminals.
import { visibleName, visibleText } from '../../base/visible.ts';
import type { TextEntity } from '../../entries/types.ts';

/** Bold and cyan. */
const mark = ['\u001b[1;36m', '\u001b[22;39m'] as const;

/** `[Ada PER] lived in [London LOC].` Control characters of the text are visible, and an entity within another has no mark of
 *  its own. */
export function markedText(
  text: string,
  entities: readonly TextEntity[],
  hasColours: boolean,
): string {
  const [on, off] = hasColours ? mark : ['', ''];
  let at = 0;
  const parts = entities.flatMap(({ start, end, label }) => {
    if (start < at) {
      return [];
    }
    const before = text.slice(at, start);
    at = end;
    return [
      visibleText(before),
      `${on}[${visibleText(text.slice(start, end))} ${visibleName(label)}]${off}`,
    ];
  });
  return [...parts, visibleText(text.slice(at))].join('');
}
