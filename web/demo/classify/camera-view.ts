// The camera, asked for by a press of its button alone: frame after frame is classified until one is kept.

import { byId } from '../shared/dom.ts';
import type { Store } from '../shared/store.ts';
import { pixelsOf } from './pictures.ts';
import type { ClassifySession } from './session.ts';
import type { ClassifyState } from './state.ts';

/** Between two frames, so that the page has time for others. */
const kPauseMs = 150;

/** In the page's words, where the browser's own would not help. */
function refusalOf(error: unknown): unknown {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError') {
    return new Error(
      'It was refused. Allow it for this page in the browser’s settings, or choose an image.',
    );
  }
  return name === 'NotFoundError'
    ? new Error('This device has none, or it is switched off. Choose an image instead.')
    : error;
}

async function streamOf(): Promise<MediaStream> {
  // Absent from pages that did not come over https.
  const devices = navigator.mediaDevices as MediaDevices | undefined;
  if (devices === undefined) {
    throw new Error('Browsers give it only to pages that come over https.');
  }
  return devices.getUserMedia({ video: { facingMode: 'environment' } });
}

export function mountCameraView(store: Store<ClassifyState>, session: ClassifySession): void {
  const video = byId('video', HTMLVideoElement);
  const start = byId('camera-start', HTMLButtonElement);
  const keep = byId('camera-keep', HTMLButtonElement);
  let running: MediaStream | null = null;

  const showLive = (live: boolean): void => {
    video.hidden = !live;
    keep.hidden = !live;
    start.hidden = live;
  };
  const stop = (): void => {
    for (const track of running?.getTracks() ?? []) {
      track.stop();
    }
    running = null;
    video.srcObject = null;
    showLive(false);
  };
  const watch = async (stream: MediaStream): Promise<void> => {
    while (running === stream) {
      const pixels = pixelsOf(video, video.videoWidth, video.videoHeight);
      await session.show({ name: 'A picture of the camera', from: 'camera', pixels });
      await new Promise((resolve) => setTimeout(resolve, kPauseMs));
    }
  };
  const begin = async (): Promise<void> => {
    start.disabled = true;
    try {
      const stream = await streamOf();
      running = stream;
      video.srcObject = stream;
      await video.play();
      showLive(true);
      keep.focus();
      void watch(stream);
    } catch (error) {
      stop();
      session.fail('The camera cannot be used', refusalOf(error));
    }
    start.disabled = false;
  };
  start.addEventListener('click', () => void begin());
  keep.addEventListener('click', () => {
    stop();
    start.focus();
  });
  // Whatever else comes to the pad ends the camera's part in it.
  store.watch(['picture'], ({ picture }) => {
    if (picture?.from !== 'camera') {
      stop();
    }
  });
}
