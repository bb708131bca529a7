// Writes a text to the clipboard.

/** Takes the promise of a text in the user's click: some browsers do not let a page copy after it has waited. Returns false where
 *  the browser refuses, and if there is no text. */
export async function copyText(text: string | Promise<string>): Promise<boolean> {
  try {
    if (typeof text === 'string' || typeof ClipboardItem === 'undefined') {
      await navigator.clipboard.writeText(await text);
    } else {
      const blob = text.then((known) => new Blob([known], { type: 'text/plain' }));
      // Without a text, the browser refuses the promise, too, and nobody else takes it.
      blob.catch(() => undefined);
      await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
    }
    return true;
  } catch {
    return false;
  }
}
