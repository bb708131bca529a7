// A new build of the site is a new service worker. It waits until the user agrees, or until all tabs of the site are closed.

import type { Question } from '../../shared/site/worker-messages.ts';

const takeOver: Question = { kind: 'take-over' };

export interface Updates {
  /** Lets the new version take over, and loads the page again. */
  accept(): void;
}

export function watchUpdates(
  registration: ServiceWorkerRegistration,
  announce: (text: string) => void,
): Updates {
  const { serviceWorker } = navigator;
  let isFirst = serviceWorker.controller === null;
  let agreed = false;
  const announceWaiting = (): void => {
    if (registration.waiting !== null && serviceWorker.controller !== null) {
      announce('A new version of this page is here.');
    }
  };
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', announceWaiting);
  });
  serviceWorker.addEventListener('controllerchange', () => {
    if (agreed) {
      location.reload();
    } else if (!isFirst) {
      announce('A new version was started in another tab.');
    }
    isFirst = false;
  });
  announceWaiting();
  return {
    accept() {
      agreed = true;
      if (registration.waiting === null) {
        location.reload();
      } else {
        registration.waiting.postMessage(takeOver);
      }
    },
  };
}
