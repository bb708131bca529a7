// The signs within a text of reStructuredText: emphasis, roles, links, references.

const marks =
  /``([^`]+)``|(?::[\w:.+-]+:)?`([^`]+)`(?::[\w:.+-]+:)?_{0,2}|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|\|([^|\s][^|\n]{0,80})\|_{0,2}|\s?\[#?[\w.*-]{0,60}\]_(?!\w)|(\w)__?(?=[\s.,;:!?)\]'"]|$)|\\([^\n])/g;
/** `shown <target>`. */
const target = /^([\s\S]*?)\s*<[^<>]*>$/;

export function readableRst(text: string): string {
  if (!/[`*|[_\\]/.test(text)) {
    return text;
  }
  return text.replace(
    marks,
    (whole, code, phrase, strong, emphasis, substituted, name, escaped) => {
      if (phrase !== undefined) {
        return shownOf(phrase as string);
      }
      const shown = code ?? strong ?? emphasis ?? substituted ?? name ?? escaped ?? '';
      return (shown as string) + '\n'.repeat(lineEndsIn(whole) - lineEndsIn(shown as string));
    },
  );
}

/** Without the target of a link, and without the sign that shortens the name of a class. */
function shownOf(phrase: string): string {
  const shown = (target.exec(phrase)?.[1] || phrase).replace(/^[~!]/, '');
  return shown + '\n'.repeat(lineEndsIn(phrase) - lineEndsIn(shown));
}

function lineEndsIn(text: string): number {
  return text.split('\n').length - 1;
}
