import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';
import { GalleryPage } from './gallery-page.ts';
import { chelsea } from './gallery-pictures.ts';

/**
 * What a new user does in a folder with the installed package: starts the demo, signs in, and uploads a picture. A program of
 * its own, so that it can run in a network namespace. Prints one JSON object: seconds since the start, and the name of the picture that it sees.
 */

const [folder = '.', screenshot = 'first-picture.png'] = process.argv.slice(2);
const begin = performance.now();
const seconds = (): number => Math.round((performance.now() - begin) / 100) / 10;

// A process group of its own, as a terminal makes one: Ctrl-C goes to npx and to the demo.
const demo = spawn('npx', ['--no', '--', 'image-catalog', 'demo'], {
  cwd: folder,
  detached: true,
  stdio: ['ignore', 'pipe', 'inherit'],
});
const ended = once(demo, 'close');
process.once('exit', () => stopDemo());
const lines = createInterface({ input: demo.stdout });
const url = await new Promise<string>((resolve, reject) => {
  lines.on('line', (line) => {
    const found = /^Gallery: +(\S+)/.exec(line)?.[1];
    if (found !== undefined) resolve(found);
  });
  lines.once('close', () => reject(new Error('The demo has not named its gallery')));
});
const ready = seconds();

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
const gallery = await GalleryPage.open(browser, url);
await gallery.signIn();
const signedIn = seconds();
await gallery.upload([await chelsea()]);
await gallery.expectUploads('1 uploaded');
const uploaded = seconds();
const picture = gallery.picture(0).getByRole('img');
await picture.waitFor();
await gallery.page.waitForFunction(() => {
  const image = document.querySelector<HTMLImageElement>('[role=option] img');
  return image !== null && image.complete && image.naturalWidth > 0;
});
const seen = seconds();
await gallery.page.screenshot({ path: screenshot });
const name = await picture.getAttribute('alt');
await browser.close();

stopDemo();
await ended;
console.log(JSON.stringify({ ready, signedIn, uploaded, seen, stopped: seconds(), name }));

/** As Ctrl-C does. */
function stopDemo(): void {
  const isRunning = demo.exitCode === null && demo.signalCode === null;
  if (isRunning && demo.pid !== undefined) process.kill(-demo.pid, 'SIGINT');
}
