// Whether the page may fetch its files for later without being asked to.

const key = 'ambry-offline';

/** Part of the Network Information API, which only some browsers have. */
interface Connection {
  readonly saveData?: boolean;
  readonly type?: string;
  readonly effectiveType?: string;
}

function isMetered(): boolean {
  const { connection } = navigator as { connection?: Connection };
  const { saveData = false, type = '', effectiveType = '' } = connection ?? {};
  return saveData || type === 'cellular' || effectiveType.includes('2g');
}

/** The user has deleted what was kept. */
function isTurnedOff(): boolean {
  try {
    return localStorage.getItem(key) === 'off';
  } catch {
    return false;
  }
}

export const mayKeep = (): boolean => !isMetered() && !isTurnedOff();

/** Remembers that the user wants pages to be kept, or not. */
export function setKeeping(on: boolean): void {
  try {
    if (on) {
      localStorage.removeItem(key);
    } else {
      localStorage.setItem(key, 'off');
    }
  } catch {
    // This holds until the page is closed, then.
  }
}
