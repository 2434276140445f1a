import { expect } from 'chai';
import { sharp } from '../../src/decoder/decoder-options.ts';
import { FIELD_PICTURES } from '../support/fixtures/field-pictures.ts';
import { filePart } from '../support/fixtures/multipart.ts';
import type { ImageRecord } from '../support/http/catalog-client.ts';
import { startFor } from '../support/http/start-for.ts';
import { TestService } from '../support/http/test-service.ts';
import { animatedWebp, anmf, flatVp8l } from '../support/kinds/webp-chunks.ts';

/** Its EXIF has a signature that is not read. */
const UNREAD_EXIF = 'jpeg-exif-signature-00ff.jpg';
const RECORDING = { width: 1917, height: 1533 };

/** As cameras, phones and editors write them: `FIELD_DIR` has more than are generated. */
describe('Pictures of the world', () => {
  const service = startFor('all', () =>
    TestService.start({ inputFormats: 'jpeg,png,webp,gif', maxFileBytes: 50_000_000 }),
  );

  for (const { file, read, status, cause, width, height, frames = 1 } of FIELD_PICTURES) {
    const outcome = status === 201 ? 'accepted, and has a clean original' : `refused because "${cause}"`;
    it(`${file} is ${outcome}`, async () => {
      const response = await service.post([filePart(await read(), 'picture')]);

      expect([response.status, (response.body as { message?: string }).message]).to.satisfy(
        ([found, message = '']: [number, string?]) => found === status && message.includes(cause ?? ''),
      );
      if (status === 422) return;
      const { id, ...record } = response.body as ImageRecord;
      if (width !== undefined && file !== UNREAD_EXIF) expect(record).to.include({ width, height, frames });
      expect((await service.get(`/api/image/${id}/file?metadata=none`)).status).to.equal(200);
    });
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
