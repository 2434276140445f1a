import { expect } from 'chai';
import { sharp } from '../../src/decoder/decoder-options.ts';
import { FIELD_PICTURES } from '../support/fixtures/field-pictures.ts';
import { filePart } from '../support/fixtures/multipart.ts';
import type { ImageRecord } from '../support/http/catalog-client.ts';
import { startFor } from '../support/http/start-for.ts';
import { TestService } from '../support/http/test-service.ts';
import { animatedWebp, anmf, flatVp8l } from '../support/kinds/webp-chunks.ts';

/** The largest difference of a channel that is allowed. */
const TOLERANCE = 3;
const RECORDING = { width: 1917, height: 1533 };

/** As cameras, phones and editors write them: `FIELD_DIR` has more than are generated. */
describe('Pictures of the world', () => {
  const service = startFor('all', () =>
    TestService.start({ inputFormats: 'jpeg,png,webp,gif', maxFileBytes: 50_000_000, metadataGps: 'store' }),
  );

  for (const picture of FIELD_PICTURES) {
    const { file, read, status, cause, width, height, frames = 1, capture, middle } = picture;
    const outcome = status === 201 ? 'accepted, and has a clean original' : `refused because "${cause}"`;
    it(`${file} is ${outcome}`, async () => {
      const response = await service.post([filePart(await read(), 'picture')]);

      expect([response.status, (response.body as { message?: string }).message]).to.satisfy(
        ([found, message = '']: [number, string?]) => found === status && message.includes(cause ?? ''),
      );
      if (status === 422) return;
      const { id, ...record } = response.body as ImageRecord;
      if (width !== undefined) expect(record).to.include({ width, height, frames });
      const clean = await service.get(`/api/image/${id}/file?metadata=none`);
      expect(clean.status).to.equal(200);
      if (capture !== undefined) expect(await captureOf(id)).to.include(capture);
      if (width !== undefined && height !== undefined && width !== height) {
        expect(await isUpright(id, clean.body as Buffer)).to.equal(true);
      }
      if (middle === undefined) return;
      for (const [channel, value] of (await middleOf(id)).entries()) {
        expect(value).to.be.closeTo(middle[channel] as number, TOLERANCE);
      }
    });
  }

  async function captureOf(id: number): Promise<Record<string, unknown>> {
    const { body } = await service.get(`/api/image/${id}/metadata`);
    return (body as { capture: Record<string, unknown> }).capture;
  }

  /** Whether a rendition and the clean original have the shape of the record. */
  async function isUpright(id: number, clean: Buffer): Promise<boolean> {
    const { body } = await service.get(`/api/image/${id}`);
    const { width, height } = body as { width: number; height: number };
    const rendition = await service.get(`/api/image/${id}/file?width=16&format=png`);
    const sides = await Promise.all([
      sharp(rendition.body as Buffer).metadata(),
      sharp(clean)
        .metadata()
        .then(({ autoOrient }) => autoOrient),
    ]);
    return sides.every((side) => side.width > side.height === width > height);
  }

  async function middleOf(id: number): Promise<readonly number[]> {
    const { body } = await service.get(`/api/image/${id}/file?width=32&format=png`);
    const { data, info } = await sharp(body as Buffer)
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const at = (Math.floor(info.height / 2) * info.width + info.width / 2) * info.channels;
    return [...data.subarray(at, at + 3)];
  }

  it('a recording of 34 frames as WebP is accepted', async () => {
    const file = animatedWebp(RECORDING, Array<Buffer>(34).fill(anmf(RECORDING, [flatVp8l(RECORDING)])));
    const { status, body } = await service.post([filePart(file, 'recording.webp')]);

    expect(status).to.equal(201);
    expect(body).to.include({ ...RECORDING, frames: 34 });
  });

  it('a GIF without an end code shows its last pixels in renditions', async () => {
    const gifs = FIELD_PICTURES.filter(({ file }) => /no-end-code|without an end code/.test(file));
    for (const { read } of gifs) {
      const { id } = await service.upload(await read());
      const { body } = await service.get(`/api/image/${id}/file?format=png`);
      const pixels = await sharp(body as Buffer)
        .removeAlpha()
        .raw()
        .toBuffer();
      expect(pixels.subarray(-3)).to.deep.equal(pixels.subarray(-6, -3)).and.not.deep.equal(Buffer.alloc(3));
    }
  });

  it('keeps nothing of refused files', async () => {
    expect(await service.leftovers()).to.deep.equal([]);
  });
});
