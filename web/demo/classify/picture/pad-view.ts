// The pad: drawing with a pointer, example digits, and chosen images.

import { debounced } from '../../shared/base/debounce.ts';
import type { Store } from '../../shared/base/store.ts';
import { button, byId, onFilesChosen } from '../../shared/dom/dom.ts';
import { mountStrokes } from '../../shared/dom/strokes.ts';
import { pickedFiles } from '../../shared/files/given-files.ts';
import type { Receive } from '../../shared/page/mount-page.ts';
import type { ClassifyState } from '../state/state.ts';
import { digitPaths, firstDigit } from './built-in.ts';
import { greysOf } from './drawing-code.ts';
import { exampleOf, ownDrawing } from './names.ts';
import { Pad } from './pad.ts';
import type { PictureSession } from './picture-session.ts';
import { pixelsOf } from './pictures.ts';

/** The pause before a stroke that still goes on is classified. */
const strokePauseMs = 60;

/** Returns a function that shows the drawing of a link, or the first digit. */
export function mountPadView(
  store: Store<ClassifyState>,
  session: PictureSession,
  receive: Receive,
): (drawing: string) => void {
  const pad = new Pad();
  const { canvas } = pad;
  const classify = debounced<string>(strokePauseMs, (name) => {
    const pixels = pixelsOf(canvas, canvas.width, canvas.height);
    return session.show({ name, from: 'drawing', pixels });
  });
  const draw = (digit: number): void => {
    pad.path(digitPaths[digit] ?? '');
    classify.requestNow(exampleOf(digit));
  };
  mountStrokes(canvas, {
    line: (from, to) => pad.line(from, to),
    onDraw: () => classify.request(ownDrawing),
    onEnd: () => classify.requestNow(ownDrawing),
  });
  byId('clear', HTMLButtonElement).addEventListener('click', () => session.clear());
  onFilesChosen(byId('picture-file', HTMLInputElement), (files) => {
    void receive(pickedFiles(files));
  });
  byId('examples', HTMLElement).append(
    ...digitPaths.map((_, digit) => {
      const chip = button(String(digit), '', () => draw(digit));
      chip.setAttribute('aria-label', `Draw a ${digit}`);
      return chip;
    }),
  );
  store.watch(['picture'], ({ picture }) => {
    if (picture === null) {
      pad.clear();
    } else if (picture.from !== 'drawing') {
      pad.show(picture);
    }
    canvas.setAttribute('aria-label', `Pad: ${picture?.name ?? 'empty'}`);
    byId('picture-name', HTMLElement).textContent =
      picture === null ? 'Draw a digit here' : picture.name;
  });
  return (drawing) => {
    const greys = greysOf(drawing);
    if (greys === null) {
      draw(firstDigit);
    } else {
      pad.greys(greys);
      classify.requestNow('The drawing of the link');
    }
  };
}
