import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { DecoderImageInspector } from '../../src/adapters/decoder/decoder-image-inspector.ts';
import { DecoderProcess } from '../../src/adapters/decoder/decoder-process.ts';
import { InvalidImage } from '../../src/domain/errors.ts';
import { NO_CAPTURE } from '../../src/domain/image/image-metadata.ts';
import { inMemory } from '../../src/domain/ports/bytes/readable-bytes.ts';
import { decoderPool, VERSIONS } from '../support/doubles/decoders.ts';
import { REPLIED, writeLyingDecoder } from '../support/doubles/lying-decoder.ts';
import { STAYING } from '../support/doubles/staying.ts';
import { pixelLimits } from '../support/fixtures/pixel-limits.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { processIdsOf } from '../support/servers/process-tree.ts';
import { skipAloud } from '../support/skipped/skip-aloud.ts';
import { eventually } from '../support/time/eventually.ts';
import { settled } from '../support/time/gate.ts';

const OPENED = {
  kind: 'opened',
  width: 1,
  height: 1,
  frames: 1,
  scans: 1,
  segments: 0,
  metadataBytes: 0,
  compressedChunks: 0,
  arithmeticBytes: 0,
  heldBytes: 0,
};
const INSPECTED = {
  kind: 'inspected',
  width: 1,
  height: 1,
  thumbhash: 'AAAAAAAA',
  hashes: { dHash: [0, 0, 0, 0], pHash: [0, 0, 0, 0], meanColour: [0, 0, 0] },
  embedded: { capture: NO_CAPTURE, keywords: [], texts: { title: null, description: null, alt: null } },
};

describe('A decoder in the hands of a file', function () {
  let folder: TemporaryFolder;
  let program: string;

  before(async function () {
    if (process.platform !== 'linux') skipAloud(this, 'processes are looked at in /proc');
    folder = await temporaryFolder();
    program = join(folder.path, 'decoder.cjs');
  });

  after(async () => {
    await folder?.remove();
  });

  async function inspect(messages: readonly unknown[]): Promise<unknown> {
    await writeLyingDecoder(program, messages);
    const pool = decoderPool({ program, slots: 1, renditions: 1 });
    const file = { ...inMemory(Buffer.of()), sha256: '0'.repeat(64) };
    const inspecting = new DecoderImageInspector(pixelLimits(1), pool).inspect(file, 'image/png', {
      signal: STAYING,
      subject: 'a',
    });
    try {
      return await inspecting.catch((error: unknown) => error);
    } finally {
      await pool.stop();
    }
  }

  it('is believed if its replies are possible', async () => {
    expect(await inspect([OPENED, INSPECTED])).to.have.nested.property('facts.frames', 1);
  });

  for (const [name, messages] of [
    ['no frame', [{ ...OPENED, frames: 0 }, INSPECTED]],
    ['a reason that is no text', [{ kind: 'refused', reason: { toString: null } }]],
  ] as const) {
    it(`refuses no more than its file by ${name}`, async () => {
      expect(await inspect(messages)).to.be.instanceOf(InvalidImage);
    });
  }

  it('that replies before it has taken the file is ended in time', async () => {
    await writeLyingDecoder(program, [OPENED]);
    const before = processIdsOf(process.pid);
    const decoder = await DecoderProcess.start(
      { path: program, maxJobBytes: 1e9, versions: VERSIONS },
      STAYING,
    );
    const bounds = { cpuSeconds: 5, memoryBytes: 1e9, replyBytes: 0 };
    const open = { kind: 'open', mediaType: 'image/png', ...pixelLimits(1) } as const;
    const asking = decoder.run(
      () => true,
      () => decoder.ask(open, bounds, Buffer.alloc(1_000_000)),
    );
    const titles = (): readonly string[] =>
      processIdsOf(process.pid)
        .filter((pid) => !before.includes(pid))
        .map((pid) => readFileSync(`/proc/${pid}/cmdline`, 'latin1'));
    await eventually(titles, (found) => found.some((title) => title.startsWith(REPLIED)));
    // Its reply is in the pipe.
    for (let turn = 0; turn < 20; turn += 1) await settled();

    expect(decoder.jobMs).to.be.a('number');
    decoder.cancel('time');
    await asking;
  });
});
