// The browser's worker for PDFs. It takes one PDF and answers with its lines, and the page then ends the worker.
// PDF.js also sends and takes messages of its own in here. They are ignored.
import { type PdfAnswer, pdfLines, pdfProblem } from './pdf/pdf-lines.ts';

self.addEventListener('message', async ({ data }: MessageEvent<unknown>) => {
  if (!(data instanceof Uint8Array)) return;
  self.postMessage(await answerTo(data));
});

async function answerTo(bytes: Uint8Array): Promise<PdfAnswer> {
  try {
    return { lines: await pdfLines(bytes, () => Promise.resolve()) };
  } catch (error) {
    return { problem: pdfProblem(error) };
  }
}
