// The signs within a text of AsciiDoc: emphasis, links, references, macros.

const macros =
  /(?:pass|stem|latexmath|asciimath):\w*\[([^\]\n]{0,1000})\]|footnote:[\w-]{0,100}\[([^\]]{0,4000})\]|(?:kbd|btn|menu|term):([^[\]\s]{0,1000})\[([^\]\n]{0,1000})\]|(?:image|icon):([^[\]\s]{1,1000})\[([^\]\n]{0,1000})\]|(?:xref|link|mailto):([^[\]\s]{0,1000})\[([^\]\n]{0,1000})\]|(https?:\/\/[^\s[\]<>]{1,2000})\[([^\]\n]{0,1000})\]|<<([^<>,\n]{1,500})(?:,([^<>\n]{0,1000}))?>>|\[\[[^\]\n]{0,1000}\]\]|\(\(\(([^()\n]{0,500})\)\)\)|\(\(([^()\n]{0,500})\)\)|indexterm2?:\[([^\]\n]{0,1000})\]|anchor:[^[\]\s]{0,1000}\[[^\]\n]{0,1000}\]/g;
const quotes =
  /``([^`\n]+)``|`\+?([^`\n]+?)\+?`|\*\*([^*\n]+)\*\*|(?<![\w*])\*([^\s*][^*\n]*)\*(?![\w*])|__([^_\n]+)__|(?<![\w_])_([^\s_][^_\n]*)_(?![\w_])|##([^#\n]+)##|(?<![\w#])#([^\s#][^#\n]*)#(?![\w#])|\+\+\+?([^+\n]+)\+\+\+?/g;
/** Attributes before a text with a sign: `[.underline]#text#`. */
const roles = /\[[.#][\w.#%-]*\](?=[#*_`])/g;
const attribute = /\{(?:nbsp|zwsp|wj|empty|blank|sp)\}/g;

export function readableAsciidoc(text: string): string {
  if (!/[[`*_#<{(+]/.test(text)) {
    return text;
  }
  return text
    .replace(macros, (whole, ...groups) => shownOf(whole as string, groups as unknown[]))
    .replace(roles, '')
    .replace(quotes, (_, ...groups) => firstText(groups as unknown[]))
    .replace(attribute, ' ')
    .replace(/ \+$/gm, '');
}

/** The text in the brackets of a macro, else what it leads to. */
function shownOf(whole: string, groups: readonly unknown[]): string {
  const [pass, footnote, key, keyLabel, picture, alt, target, label, url, urlLabel, id, idLabel] =
    groups as (string | undefined)[];
  if (footnote !== undefined) {
    return ` (${footnote})`;
  }
  if (picture !== undefined) {
    return labelOf(alt);
  }
  if (key !== undefined) {
    return [key, keyLabel].filter(Boolean).join(' ');
  }
  const shown = labelOf(label ?? urlLabel ?? idLabel);
  const index = firstText(groups.slice(12));
  const isHidden = whole.startsWith('(((');
  return pass ?? (shown || target || url || id || (isHidden ? '' : index));
}

/** Without attributes: `shown,window=_blank`, `^` at its end. */
function labelOf(label: string | undefined): string {
  return (label ?? '')
    .replace(/,\s*[\w-]+=.*$|\^$/g, '')
    .replace(/^"(.*)"$/, '$1')
    .trim();
}

function firstText(groups: readonly unknown[]): string {
  return (groups.find((group) => typeof group === 'string' && Number.isNaN(Number(group))) ??
    groups.find((group) => typeof group === 'string') ??
    '') as string;
}
