// Takes the text out of a piece of HTML.
import { type DefaultTreeAdapterMap, defaultTreeAdapter as tree } from 'parse5';

export type Node = DefaultTreeAdapterMap['node'];
export type Element = DefaultTreeAdapterMap['element'];

/** Elements without text for readers, and navigation. */
export const skippedElements = new Set(
  'script style template svg math nav iframe object embed canvas audio video button select datalist noembed noframes meta link base'.split(
    ' ',
  ),
);

export function textOf(node: Node): string {
  let text = '';
  const pending: Node[] = [node];
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (tree.isTextNode(next)) text += next.value;
    else if (tree.isElementNode(next) && skippedElements.has(next.tagName)) continue;
    else if (tree.isElementNode(next) && next.tagName === 'br') text += '\n';
    else if ('childNodes' in next)
      for (const child of next.childNodes.toReversed()) pending.push(child);
  }
  return text;
}
