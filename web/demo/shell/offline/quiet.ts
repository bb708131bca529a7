// Waits until the page has done its own work, so that what is kept for later does not slow it down.

const pauseMs = 700;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, pauseMs));

const loaded = (): Promise<void> =>
  new Promise((resolve) => {
    if (document.readyState === 'complete') {
      resolve();
    } else {
      addEventListener('load', () => resolve(), { once: true });
    }
  });

/** Pages show their work in shell/work.html. */
function isWorking(): boolean {
  const job = document.getElementById('job');
  return job !== null && !job.hidden;
}

export async function pageIsQuiet(): Promise<void> {
  await loaded();
  let calm = 0;
  // One look may fall between two jobs.
  while (calm < 2) {
    await pause();
    calm = isWorking() ? 0 : calm + 1;
  }
}
