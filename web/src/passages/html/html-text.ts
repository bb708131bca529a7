// The text in a piece of HTML.
import { type DefaultTreeAdapterMap, defaultTreeAdapter as tree } from 'parse5';

export type Node = DefaultTreeAdapterMap['node'];
export type Element = DefaultTreeAdapterMap['element'];

/** What is not for readers, or leads to other pages. */
export const kPassedOver = new Set(
  'script style template svg math nav iframe object embed canvas audio video button select datalist noembed noframes meta link base'.split(
    ' ',
  ),
);

/** All text in a node. */
export function textIn(node: Node): string {
  let text = '';
  const waiting: Node[] = [node];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (tree.isTextNode(next)) text += next.value;
    else if (tree.isElementNode(next) && kPassedOver.has(next.tagName)) continue;
    else if (tree.isElementNode(next) && next.tagName === 'br') text += '\n';
    else if ('childNodes' in next)
      for (const child of next.childNodes.toReversed()) waiting.push(child);
  }
  return text;
}
