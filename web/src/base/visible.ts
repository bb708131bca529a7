// Texts of files, models and servers as people may see them. A raw control character could clear a terminal, write to the
// clipboard, or forge a line of output; a bidirectional override shows a text in another order than it has; and characters that
// nobody sees make two names look the same. Text that is written from right to left needs none of these.

const inText = /(?![\n\t])\p{Cc}|[\u2028-\u202e\u2066-\u2069]/gu;
const inLine = /(?!\t)\p{Cc}|[\u2028-\u202e\u2066-\u2069]/gu;
// Joiners are letters of Persian and parts of emoji, and so are tags after a black flag.
const inName =
  /\p{Cc}|[\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0]|(?<!\u{1f3f4}[\u{e0020}-\u{e007f}]{0,8})[\u{e0000}-\u{e007f}]/gu;

/** A text of several lines: line feeds and tabs stay, and every other control character becomes visible, such as `\u001b`. */
export function visibleText(text: string): string {
  return text.replace(inText, escaped);
}

/** One line: a line feed becomes visible, too. A document of JSON keeps its value. */
export function visibleLine(text: string): string {
  return text.replace(inLine, escaped);
}

/** A name, such as that of a file or a tensor: what has no width becomes visible, too. */
export function visibleName(name: string): string {
  return name.replace(inName, escaped);
}

function escaped(control: string): string {
  const code = control.codePointAt(0) ?? 0;
  const digits = code.toString(16);
  return code > 0xffff ? `\\u{${digits}}` : `\\u${digits.padStart(4, '0')}`;
}
