import { createReadStream } from 'node:fs';
import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { boundOfInspection } from '../../src/adapters/decoder/decode-bounds.ts';
import { DecodeMemory } from '../../src/adapters/decoder/decode-memory.ts';
import { DecoderImageInspector } from '../../src/adapters/decoder/decoder-image-inspector.ts';
import { InvalidImage, StorageUnavailable } from '../../src/domain/errors.ts';
import type { MediaType } from '../../src/domain/image/media-type.ts';
import { inMemory as readableInMemory } from '../../src/domain/ports/bytes/readable-bytes.ts';
import type { StagedFile } from '../../src/domain/ports/bytes/staging-area.ts';
import type { InspectedFile } from '../../src/domain/ports/pictures/image-inspector.ts';
import { DECODERS, decoderPool } from '../support/doubles/decoders.ts';
import { InMemoryStagingArea } from '../support/doubles/in-memory-staging-area.ts';
import { STAYING } from '../support/doubles/staying.ts';
import { streamOf } from '../support/fixtures/bytes.ts';
import { jpegPicture, pngPicture } from '../support/fixtures/pictures.ts';
import { pixelLimits } from '../support/fixtures/pixel-limits.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { animatedWebp, anmf, flatVp8l } from '../support/kinds/webp-chunks.ts';

const MAX_PIXELS = 50_000_000;
const BY_A_CLIENT = { signal: STAYING, subject: 'a' };

describe('DecoderImageInspector', () => {
  const inspector = inspectorOf(MAX_PIXELS);
  let folder: TemporaryFolder;

  before(async () => {
    folder = await temporaryFolder();
  });

  after(async () => {
    await folder.remove();
  });

  function inspectorOf(maxPixels: number): DecoderImageInspector {
    return new DecoderImageInspector(pixelLimits(maxPixels), DECODERS);
  }

  async function inMemory(bytes: Uint8Array): Promise<StagedFile> {
    return await new InMemoryStagingArea().receive(streamOf(bytes), {
      maxBytes: bytes.length,
      checkHead: () => {},
    });
  }

  async function onDisk(bytes: Uint8Array): Promise<InspectedFile> {
    const localPath = join(folder.path, 'staged');
    await writeFile(localPath, bytes);
    return await fileAt(localPath);
  }

  const PLACES = [
    ['on disk', onDisk],
    ['in memory', inMemory],
  ] as const;

  for (const [where, stage] of PLACES) {
    describe(`for a file ${where}`, () => {
      for (const [mediaType, make] of [
        ['image/jpeg', jpegPicture],
        ['image/png', pngPicture],
      ] as const) {
        it(`returns the size and a placeholder of a ${mediaType}`, async () => {
          const { facts } = await inspector.inspect(await stage(await make(40, 30)), mediaType, BY_A_CLIENT);

          expect([facts.width, facts.height]).to.deep.equal([40, 30]);
          expect(Buffer.from(facts.thumbhash, 'base64')).to.have.length.within(5, 25);
        });

        it(`rejects a truncated ${mediaType}`, async () => {
          const whole = await make(400, 300);
          const cut = whole.subarray(0, Math.floor(whole.length / 2));

          expect(
            await rejection(inspector.inspect(await stage(cut), mediaType, BY_A_CLIENT)),
          ).to.be.instanceOf(InvalidImage);
        });

        it(`rejects a ${mediaType} declared as the other type`, async () => {
          const other: MediaType = mediaType === 'image/png' ? 'image/jpeg' : 'image/png';

          const file = await stage(await make());
          expect(await rejection(inspector.inspect(file, other, BY_A_CLIENT))).to.be.instanceOf(InvalidImage);
        });
      }

      it('accepts the maximum number of pixels, and not one more', async () => {
        const file = await stage(await pngPicture(40, 30));

        expect((await inspectorOf(1200).inspect(file, 'image/png', BY_A_CLIENT)).facts.width).to.equal(40);
        expect(await rejection(inspectorOf(1199).inspect(file, 'image/png', BY_A_CLIENT))).to.be.instanceOf(
          InvalidImage,
        );
      });
    });
  }

  it('rejects files that are damaged anywhere', async () => {
    for (const [mediaType, bytes] of await damagedFiles()) {
      const error = await rejection(inspector.inspect(await inMemory(bytes), mediaType, BY_A_CLIENT));
      expect(error, bytes.toString('latin1', 0, 20)).to.be.instanceOf(InvalidImage);
    }
  });

  it('rejects with StorageUnavailable if the staged file is missing', async () => {
    const file = await onDisk(await pngPicture());
    await rm(file.localPath ?? '');

    expect(await rejection(inspector.inspect(file, 'image/png', BY_A_CLIENT))).to.be.instanceOf(
      StorageUnavailable,
    );
  });
});

async function fileAt(localPath: string): Promise<InspectedFile> {
  return {
    size: (await stat(localPath)).size,
    sha256: localPath,
    localPath,
    read: () => createReadStream(localPath),
  };
}

async function damagedFiles(): Promise<ReadonlyArray<readonly [MediaType, Buffer]>> {
  const [jpeg, png] = [await jpegPicture(32, 20), await pngPicture(40, 30)];
  const [signature, corrupted] = [png.subarray(0, 8), Buffer.from(png)];
  const place = png.indexOf('IDAT') + 6;
  corrupted.writeUInt8(corrupted.readUInt8(place) ^ 0xff, place);
  return [
    ['image/jpeg', jpeg.subarray(0, 3)],
    ['image/jpeg', jpeg.subarray(0, -20)],
    ['image/png', signature],
    ['image/png', Buffer.concat([signature, Buffer.from('<html>')])],
    ['image/png', corrupted],
  ];
}

describe('DecoderImageInspector, with memory for one image of the bound at which a decoder is ended,', () => {
  it('accepts an animation whose estimate is above the bound', async () => {
    const [canvas, dot] = [
      { width: 7000, height: 7000 },
      { width: 1, height: 1 },
    ];
    const file = readableInMemory(animatedWebp(canvas, [anmf(dot, [flatVp8l(dot)])]));
    const memory = new DecodeMemory(boundOfInspection(7000 * 7000) + file.size);
    const pool = decoderPool({ memory });
    const inspector = new DecoderImageInspector(pixelLimits(MAX_PIXELS), pool);
    try {
      const { facts } = await inspector.inspect({ ...file, sha256: 'dot' }, 'image/webp', BY_A_CLIENT);
      expect(facts).to.include(canvas);
    } finally {
      await pool.stop();
    }
  });
});
