// The cards of the landing page. Each does a small job on its page at once: a question, a word, a drawing, a first sentence,
// a file to check, a file to convert.

import { byId } from '../shared/dom/dom.ts';
import { handOver } from '../shared/handover/handover.ts';
import { fetchSample, type SampleName, samples } from '../shared/samples/samples.ts';
import { type DrawingPad, mountDrawing } from './drawing.ts';

type Fail = (error: unknown) => void;

/** A form with one field that a page takes in its address. */
function mountField(id: string, page: string, parameter: string): void {
  const form = byId(id, HTMLFormElement);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const text = String(new FormData(form).get(parameter) ?? '').trim();
    const query = text === '' ? '' : `?${new URLSearchParams({ [parameter]: text })}`;
    location.assign(`${page}/index.html${query}`);
  });
}

function mountSampleButton(id: string, name: SampleName, page: string, fail: Fail): void {
  const chosen = byId(id, HTMLButtonElement);
  chosen.addEventListener('click', async () => {
    chosen.disabled = true;
    try {
      await handOver(await fetchSample(samples[name]), `${page}/index.html`);
    } catch (error) {
      fail(error);
    } finally {
      chosen.disabled = false;
    }
  });
}

/** Without a drawing the page shows an example. */
async function openDrawing(pad: DrawingPad): Promise<void> {
  const file = await pad.picture();
  if (file === null) {
    location.assign('classify/index.html');
  } else {
    await handOver({ files: [{ path: file.name, file }], skipped: [] }, 'classify/index.html');
  }
}

export function mountCards(fail: Fail): void {
  mountField('card-search', 'search', 'q');
  mountField('card-words', 'words', 'word');
  mountField('card-chat', 'chat', 'prompt');
  mountSampleButton('check-damaged', 'damaged', 'check', fail);
  mountSampleButton('check-sound', 'gguf', 'check', fail);
  mountSampleButton('convert-gguf', 'gguf', 'convert', fail);
  mountSampleButton('convert-words', 'wordsAsText', 'convert', fail);
  const pad = mountDrawing();
  byId('classify-drawing', HTMLButtonElement).addEventListener('click', () => {
    openDrawing(pad).catch(fail);
  });
}
