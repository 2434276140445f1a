import { expect } from 'chai';
import { PixelMemory } from '../../src/adapters/decoder/pixel-memory.ts';
import { WeightedSemaphore } from '../../src/adapters/decoder/weighted-semaphore.ts';
import type { Pixels } from '../../src/domain/image/image-hashes.ts';
import { STAYING } from '../support/doubles/staying.ts';

/** Of 120 bytes. */
function picture(): Pixels {
  return { width: 10, height: 4, channels: 3, data: new Uint8Array(120) };
}

describe('PixelMemory', () => {
  it('holds pixels until they are released', () => {
    const pixels = picture();
    const held = new PixelMemory(new WeightedSemaphore(1000), 1000).hold(pixels);

    expect(held?.read()).to.equal(pixels);
    held?.release();
    expect(held?.read()).to.equal(undefined);
  });

  it('drops the oldest beyond its bound', () => {
    const memory = new PixelMemory(new WeightedSemaphore(1000), 250);
    const held = [1, 2, 3].map(() => memory.hold(picture()));

    expect(held.map((one) => one?.read() !== undefined)).to.deep.equal([false, true, true]);
  });

  it('holds nothing larger than its bound', () => {
    expect(new PixelMemory(new WeightedSemaphore(1000), 119).hold(picture())).to.equal(undefined);
  });

  it('counts in the memory of all decodes', () => {
    const decodes = new WeightedSemaphore(300);
    const held = new PixelMemory(decodes, 1000).hold(picture());

    expect([decodes.isFree(180), decodes.isFree(181)]).to.deep.equal([true, false]);
    held?.release();
    expect(decodes.isFree(300)).to.equal(true);
  });

  it('drops pixels at once if a decode needs the memory', async () => {
    const decodes = new WeightedSemaphore(300);
    const memory = new PixelMemory(decodes, 1000);
    const [older, newer] = [memory.hold(picture()), memory.hold(picture())];

    const release = await decodes.acquire(170, STAYING);
    expect([older?.read() === undefined, newer?.read() === undefined]).to.deep.equal([true, false]);
    release();
    newer?.release();
    older?.release();
    expect(decodes.isFree(300)).to.equal(true);
  });

  it('holds nothing while decodes wait for memory', async () => {
    const decodes = new WeightedSemaphore(300);
    const memory = new PixelMemory(decodes, 1000);
    const release = await decodes.acquire(100, STAYING);
    const waiting = decodes.acquire(250, STAYING);

    expect(memory.hold(picture())).to.equal(undefined);
    release();
    (await waiting)();
    expect(memory.hold(picture())?.read()).not.to.equal(undefined);
  });
});
