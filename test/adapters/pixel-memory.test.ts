import { expect } from 'chai';
import { DecodeMemory } from '../../src/adapters/decoder/decode-memory.ts';
import { PixelMemory } from '../../src/adapters/decoder/pixel-memory.ts';
import type { Pixels } from '../../src/domain/image/image-hashes.ts';

/** Of 120 bytes. */
function picture(): Pixels {
  return { width: 10, height: 4, channels: 3, data: new Uint8Array(120) };
}

describe('PixelMemory', () => {
  it('holds pixels until they are released', () => {
    const pixels = picture();
    const held = new PixelMemory(new DecodeMemory(1000), 1000).hold(pixels);

    expect(held?.read()).to.equal(pixels);
    held?.release();
    expect(held?.read()).to.equal(undefined);
  });

  it('drops the oldest beyond its bound', () => {
    const memory = new PixelMemory(new DecodeMemory(1000), 250);
    const held = [1, 2, 3].map(() => memory.hold(picture()));

    expect(held.map((one) => one?.read() !== undefined)).to.deep.equal([false, true, true]);
  });

  it('holds nothing larger than its bound', () => {
    expect(new PixelMemory(new DecodeMemory(1000), 119).hold(picture())).to.equal(undefined);
  });

  it('counts in the memory of all decodes', () => {
    const decodes = new DecodeMemory(300);
    const held = new PixelMemory(decodes, 1000).hold(picture());

    expect(decodes.held).to.equal(120);
    held?.release();
    expect(decodes.held).to.equal(0);
  });

  it('drops pixels at once if a decode needs the memory', () => {
    const decodes = new DecodeMemory(300);
    const memory = new PixelMemory(decodes, 1000);
    const [older, newer] = [memory.hold(picture()), memory.hold(picture())];

    const reservation = decodes.reserve(170);
    expect([older?.read() === undefined, newer?.read() === undefined]).to.deep.equal([true, false]);
    reservation?.release();
    newer?.release();
    older?.release();
    expect(decodes.held).to.equal(0);
  });

  it('keeps no decode waiting, and drops no pixels for one that lacks memory without them', () => {
    const decodes = new DecodeMemory(300);
    const running = decodes.reserve(100);
    const held = new PixelMemory(decodes, 1000).hold(picture());

    expect([decodes.reserve(250), held?.read() === undefined]).to.deep.equal([undefined, false]);
    running?.release();
    expect([decodes.reserve(250)?.bytes, held?.read()]).to.deep.equal([250, undefined]);
  });

  it('holds nothing for which decodes leave no memory', () => {
    const decodes = new DecodeMemory(300);
    decodes.reserve(181);

    expect(new PixelMemory(decodes, 1000).hold(picture())).to.equal(undefined);
  });
});
