// Texts of files, models and servers as a terminal may show them. A raw control character could clear the screen, write to the
// clipboard, or forge a line of output; a bidirectional override could show a text in another order than it has.

const inText = /(?![\n\t])\p{Cc}|[\u2028-\u202e\u2066-\u2069]/gu;
const inLine = /(?!\t)\p{Cc}|[\u2028-\u202e\u2066-\u2069]/gu;

/** A text of several lines: line feeds and tabs stay, and every other control character becomes visible, such as `\u001b`. */
export function visibleText(text: string): string {
  return text.replace(inText, escaped);
}

/** One line: a line feed becomes visible, too. A document of JSON keeps its value. */
export function visibleLine(text: string): string {
  return text.replace(inLine, escaped);
}

function escaped(control: string): string {
  return `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
