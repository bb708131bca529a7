// The browser's worker for PDFs: takes one, gives its lines, and is ended by whoever made it. PDF.js in it
// listens, too, for messages of a form of its own, and says that it is ready; neither is meant here.
import { type FromPdfWorker, pdfLines, pdfProblem } from './pdf/pdf-lines.ts';

self.addEventListener('message', async ({ data }: MessageEvent<unknown>) => {
  if (!(data instanceof Uint8Array)) return;
  self.postMessage(await answerTo(data));
});

async function answerTo(bytes: Uint8Array): Promise<FromPdfWorker> {
  try {
    return { lines: await pdfLines(bytes, () => Promise.resolve()) };
  } catch (error) {
    return { problem: pdfProblem(error) };
  }
}
