// Chromium, with one page for each check.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';

const executablePath =
  process.env.CHROMIUM ??
  ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
const args = ['--no-sandbox', '--disable-background-networking', '--no-first-run'];
const timeout = 120_000;

export function browserVersion() {
  const out = execFileSync(executablePath, ['--version'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return /[\d.]+/.exec(out)?.[0] ?? out.trim();
}

/** Opens a page and waits for the outcome that program/page.js leaves. */
export async function checkInPage(url) {
  const browser = await chromium.launch({ executablePath, args });
  try {
    const page = await browser.newPage();
    return await outcomeOf(page, url);
  } finally {
    await browser.close();
  }
}

/** Checks a page of an extension. */
export async function checkInExtension(folder, path) {
  const profile = mkdtempSync(join(tmpdir(), 'ambry-extension-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    // The headless shell runs no extensions.
    channel: 'chromium',
    args: [...args, `--disable-extensions-except=${folder}`, `--load-extension=${folder}`],
  });
  try {
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
    const page = await context.newPage();
    return await outcomeOf(page, new URL(path, worker.url()).href);
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  }
}

async function outcomeOf(page, url) {
  const said = [];
  page.on('console', (message) => said.push(message.text()));
  page.on('pageerror', (error) => said.push(error.message));
  await page.goto(url);
  const handle = await page
    .waitForFunction(() => globalThis.outcome, undefined, { timeout })
    .catch((error) => {
      throw new Error(`${error.message}\n${said.slice(-10).join('\n')}`);
    });
  const { result, error } = await handle.jsonValue();
  if (error !== undefined) {
    throw new Error(`${error}\n${said.slice(-10).join('\n')}`);
  }
  return result;
}
