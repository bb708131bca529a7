// Containers: blocks between lines of colons, as VitePress, Docusaurus, MyST and Pandoc write them.
//
//     :::warning Hot
//     Do not touch.
//     :::

/** The line of colons, and what stands behind them. */
const fence = /^[ \t]*:{3,}[ \t]*([^\n]*)(?:\n|$)/;
const fenceAhead = /\n[ \t]*:{3,}/;
/** A fence within a paragraph is found so far behind its begin. */
const maxUnitsAhead = 4096;
/** Options of MyST: `:class: wide`. */
const optionLines = /^(?:[ \t]*:[\w-]+:[^\n]*(?:\n|$))+/;
/** What these name is no text. */
const withoutTitle = new Set(
  'image figure include literalinclude code-block code-cell code sourcecode toctree contents math eval-rst raw'.split(
    ' ',
  ),
);

export interface Fence {
  readonly raw: string;
  /** In Markdown. Empty if the container has no title, and where it ends. */
  readonly title: string;
}

/** The fence with which a source begins. */
export function fenceOf(source: string): Fence | undefined {
  const [line = '', rest = ''] = fence.exec(source) ?? [];
  if (line === '') {
    return undefined;
  }
  const options = rest.startsWith('{')
    ? (optionLines.exec(source.slice(line.length))?.[0] ?? '')
    : '';
  return { raw: line + options, title: titleOf(rest) };
}

/** Where a fence ends a paragraph, or -1. The place is that of the line end before it. */
export function fenceWithin(source: string): number {
  const head = source.slice(0, maxUnitsAhead);
  const found = head.includes(':::') ? head.search(fenceAhead) : -1;
  return found;
}

/** `warning Title`, `note[Title]`, `{admonition} Title`, `{.note title="Title"}`, `details Title {open}`. */
function titleOf(text: string): string {
  const rest = text.replace(/[ \t]*:*[ \t]*$/, '');
  const braced = /^\{([^{}]*)\}[ \t]*(.*)$/.exec(rest);
  if (braced) {
    const [, inner = '', title = ''] = braced;
    const stated = /\btitle\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(inner);
    return stated?.[1] ?? stated?.[2] ?? (withoutTitle.has(inner) ? '' : title);
  }
  const [, , bracketed, title = ''] = /^([\w-]+)?(?:\[(.*)\])?(.*)$/.exec(rest) ?? [];
  const bare = title.replace(/\{[^{}]*\}\s*$/, '').trim();
  return bracketed ?? bare;
}
