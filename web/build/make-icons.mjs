// Draws demo/public/icon.svg into the pictures that browsers show for the installed site. Run it when the icon changes:
//
//   node web/build/make-icons.mjs PATH_OF_CHROMIUM
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';

const folder = fileURLToPath(new URL('../demo/public/', import.meta.url));
const icon = readFileSync(`${folder}icon.svg`, 'utf8');
/** Systems cut a mask of their own, a circle for instance, so the drawing is smaller and the ground has no corners. */
const forMask = icon
  .replace('viewBox="0 0 32 32"', 'viewBox="-5 -5 42 42"')
  .replace(
    /<rect[^>]*fill="([^"]*)"[^>]*>/,
    '<rect x="-5" y="-5" width="42" height="42" fill="$1" />',
  );

const browser = await chromium.launch({ executablePath: process.argv[2], args: ['--no-sandbox'] });
const page = await browser.newPage();

async function draw(name, svg, size) {
  await page.setViewportSize({ width: size, height: size });
  const sized = svg.replace('<svg ', `<svg width="${size}" height="${size}" `);
  await page.setContent(`<style>* { margin: 0; display: block }</style>${sized}`);
  writeFileSync(`${folder}${name}`, await page.screenshot({ omitBackground: true }));
}

await draw('icon-192.png', icon, 192);
await draw('icon-512.png', icon, 512);
await draw('icon-mask.png', forMask, 512);
await browser.close();
