import { expect } from 'chai';
import { DecoderRenditionMaker } from '../../src/adapters/decoder/decoder-rendition-maker.ts';
import { ImageBeyondLimits } from '../../src/domain/errors.ts';
import type { Rendition } from '../../src/domain/image/rendition.ts';
import { inMemory } from '../../src/domain/ports/bytes/readable-bytes.ts';
import { decoderPool, VERSIONS } from '../support/doubles/decoders.ts';
import { FakeDecoders } from '../support/doubles/fake-decoders.ts';
import { STAYING } from '../support/doubles/staying.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { pixelLimits } from '../support/fixtures/pixel-limits.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { settled } from '../support/time/gate.ts';

const LARGE_AVIF: Rendition = { width: 3840, height: 2160, fit: 'cover', format: 'avif', quality: 75 };

describe('A rendition that has reached its bound', () => {
  const decoders = new FakeDecoders();
  const pool = decoderPool({ startDecoder: decoders.start });
  const maker = new DecoderRenditionMaker(pixelLimits(50_000_000), pool, VERSIONS);
  const image = { ...newImage(), id: 1, createdAt: new Date() };

  async function make(rendition: Rendition): Promise<Error> {
    const source = { image, open: async () => inMemory(Buffer.of(0)) };
    const made = rejection(maker.make(source, rendition, { signal: STAYING, subject: 'a' }, async () => {}));
    await settled();
    await settled();
    return await Promise.race([made, settled().then(() => new Error('in a decoder'))]);
  }

  before(async () => {
    void make(LARGE_AVIF);
    await settled();
    await settled();
    decoders.busy[0]?.endFor('cpu');
    await settled();
  });

  after(() => pool.stop());

  it('is refused without a decoder', async () => {
    expect(await make(LARGE_AVIF)).to.be.instanceOf(ImageBeyondLimits);
    expect(decoders.busy).to.deep.equal([]);
  });

  for (const [what, other] of [
    ['width', { width: 1920 }],
    ['format', { format: 'webp' }],
    ['quality', { quality: 50 }],
    ['fit', { fit: 'contain' }],
    ['focus', { focus: { x: 0.5, y: 0.1 } }],
  ] as const) {
    it(`leaves the one of another ${what} to a decoder`, async () => {
      expect((await make({ ...LARGE_AVIF, ...other })).message).to.equal('in a decoder');
      expect(decoders.busy).to.have.length(1);
      for (const decoder of decoders.busy) decoder.endFor('cpu');
      await settled();
    });
  }
});
