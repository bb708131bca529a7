// Whether labels can be read in the pixels of a page. The browser may put its own colours behind a text, which styles do not tell.
import type { Browser, Locator, Page } from '@playwright/test';

interface Label {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Where the text of a part is in the document. */
const labelOf = (part: Locator): Promise<Label> =>
  part.evaluate((node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    const { x, y, width, height } = range.getBoundingClientRect();
    return { text: node.textContent ?? '', x: x + scrollX, y: y + scrollY, width, height };
  });

/** The share of pixels that stand out against the commonest colour, with the contrast that WCAG asks of texts. */
async function inkOf(reader: Page, png: Buffer): Promise<number> {
  return reader.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    const linear = (value: number): number =>
      value <= 10 ? value / 3294 : ((value / 255 + 0.055) / 1.055) ** 2.4;
    const light: number[] = [];
    const counts = new Map<number, number>();
    for (let at = 0; at < data.length; at += 4) {
      const [r = 0, g = 0, b = 0] = data.subarray(at, at + 3);
      light.push(0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b));
      const colour = r * 65_536 + g * 256 + b;
      counts.set(colour, (counts.get(colour) ?? 0) + 1);
    }
    const [common = 0] = [...counts].reduce((a, one) => (one[1] > a[1] ? one : a));
    const ground =
      0.2126 * linear(common >> 16) +
      0.7152 * linear((common >> 8) & 255) +
      0.0722 * linear(common & 255);
    const contrast = (one: number): number =>
      (Math.max(one, ground) + 0.05) / (Math.min(one, ground) + 0.05);
    return light.filter((one) => contrast(one) >= 4.5).length / light.length;
  }, png.toString('base64'));
}

/** The labels that cannot be read: hardly a pixel of them stands out. */
export async function unreadable(
  browser: Browser,
  page: Page,
  parts: Locator,
): Promise<readonly string[]> {
  const reader = await browser.newPage();
  const found: string[] = [];
  for (const part of await parts.all()) {
    if (!(await part.isVisible())) {
      continue;
    }
    const { text, ...clip } = await labelOf(part);
    const png = await page.screenshot({ clip, fullPage: true });
    if ((await inkOf(reader, png)) < 0.03) {
      found.push(text.trim());
    }
  }
  await reader.close();
  return found;
}
