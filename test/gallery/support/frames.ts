import { gallery } from './visits.ts';

/** Waits until the page has drawn what it knows. */
export async function waitFrames(): Promise<void> {
  await gallery.page.evaluate(
    `new Promise((done) => { let left = 10; const next = () => (--left > 0 ? requestAnimationFrame(next) : done()); next(); })`,
  );
}
