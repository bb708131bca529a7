// Requests that wait, so that a test sees what a page shows until they are answered.
import type { Page, Route } from '@playwright/test';

export class HeldRequests {
  readonly #waiting: Route[] = [];
  #isHeld = true;

  /** Holds the requests of a page whose addresses match. */
  static async on(page: Page, addresses: RegExp): Promise<HeldRequests> {
    const held = new HeldRequests();
    await page.route(addresses, (route) => held.#take(route));
    return held;
  }

  get count(): number {
    return this.#waiting.length;
  }

  async release(): Promise<void> {
    this.#isHeld = false;
    await Promise.all(this.#waiting.splice(0).map((route) => route.continue()));
  }

  async #take(route: Route): Promise<void> {
    if (this.#isHeld) {
      this.#waiting.push(route);
    } else {
      await route.continue();
    }
  }
}
