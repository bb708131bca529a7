// Classifies the frames of the camera until the user keeps one. The camera starts only when its button is pressed.

import type { Store } from '../../shared/base/store.ts';
import { byId } from '../../shared/dom/dom.ts';
import type { ClassifyState } from '../state/state.ts';
import type { PictureSession } from './picture-session.ts';
import { pixelsOf } from './pictures.ts';

/** The pause between two frames, so that the page stays responsive. */
const framePauseMs = 150;

/** Replaces the browser's message by one that says what to do. */
function cameraError(error: unknown): unknown {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError') {
    return new Error(
      'The browser did not allow it. Allow the camera for this page in the browser’s settings, or choose an image.',
    );
  }
  return name === 'NotFoundError'
    ? new Error('No camera was found. Choose an image instead.')
    : error;
}

async function streamOf(): Promise<MediaStream> {
  // Undefined in pages that were not loaded over https.
  const devices = navigator.mediaDevices as MediaDevices | undefined;
  if (devices === undefined) {
    throw new Error('Browsers allow the camera only in pages loaded over https.');
  }
  return devices.getUserMedia({ video: { facingMode: 'environment' } });
}

export function mountCameraView(store: Store<ClassifyState>, session: PictureSession): void {
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
      await session.show({ name: 'Camera picture', from: 'camera', pixels });
      await new Promise((resolve) => setTimeout(resolve, framePauseMs));
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
      session.fail('The camera cannot be used', cameraError(error));
    }
    start.disabled = false;
  };
  start.addEventListener('click', () => void begin());
  keep.addEventListener('click', () => {
    stop();
    start.focus();
  });
  // Any other picture stops the camera.
  store.watch(['picture'], ({ picture }) => {
    if (picture?.from !== 'camera') {
      stop();
    }
  });
}
