import { hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { DecoderImageInspector } from '../../src/adapters/decoder/decoder-image-inspector.ts';
import type { DecoderPool } from '../../src/adapters/decoder/decoder-pool.ts';
import { InvalidImage } from '../../src/domain/errors.ts';
import { mediaTypeOf } from '../../src/domain/image/media-type-of.ts';
import { decoderPool } from '../support/doubles/decoders.ts';
import { STAYING } from '../support/doubles/staying.ts';
import { COSTLY_FILES } from '../support/fixtures/costly-files.ts';
import { pngPicture } from '../support/fixtures/pictures.ts';
import { pixelLimits } from '../support/fixtures/pixel-limits.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { costOf } from '../support/servers/process-cost.ts';

const MB = 1e6;
/** Allows for slower and shared processors. */
const TOLERANCE = 2;
const MAX_PIXELS = 50_000_000;

describe('An inspection', () => {
  let folder: TemporaryFolder;
  let pool: DecoderPool | undefined;

  before(async function () {
    if (process.platform !== 'linux') this.skip();
    folder = await temporaryFolder();
  });

  after(async () => {
    await pool?.stop();
    await folder?.remove();
  });

  /** The outcome as a response says it. */
  async function inspect(bytes: Buffer): Promise<string> {
    const localPath = join(folder.path, 'staged');
    await writeFile(localPath, bytes);
    const file = {
      size: bytes.length,
      // The pool remembers the bytes that reached a bound.
      sha256: hash('sha256', bytes),
      localPath,
      read: () => createReadStream(localPath),
    };
    pool ??= decoderPool({ slots: 1, renditions: 1 });
    const mediaType = mediaTypeOf(bytes) ?? expect.fail('no media type');
    return await new DecoderImageInspector(pixelLimits(MAX_PIXELS), pool)
      .inspect(file, mediaType, { signal: STAYING, subject: 'a' })
      .then(
        () => '201',
        (error: unknown) => (error instanceof InvalidImage ? '422 invalid_image' : String(error)),
      );
  }

  for (const { file, expect: expected, maxCpuSeconds, maxGrowthMb, read } of COSTLY_FILES) {
    it(`of ${file} is ${expected}, within ${maxCpuSeconds} s of CPU and ${maxGrowthMb} MB of its decoder`, async () => {
      const bytes = read();
      if (pool === undefined) await inspect(await pngPicture());
      const { result, cost } = await costOf(process.pid, () => inspect(bytes));
      const { cpuSeconds, growthBytes } = cost.descendant;
      console.log(`      ${cpuSeconds.toFixed(2)} s of CPU, ${(growthBytes / MB).toFixed(0)} MB, ${result}`);

      // A decoder keeps memory of a picture: the next one is measured with a new decoder.
      if (result === '201') pool = await pool?.stop().then(() => undefined);
      expect(result).to.be.oneOf(expected.split(' or '));
      expect(cpuSeconds, 'seconds of CPU').to.be.at.most(TOLERANCE * maxCpuSeconds);
      expect(growthBytes / MB, 'MB').to.be.at.most(TOLERANCE * maxGrowthMb);
    });
  }
});
