import { Readable } from 'node:stream';
import { expect } from 'chai';
import type { Context } from 'koa';
import { FilesystemStagingArea } from '../../src/adapters/filesystem/filesystem-staging-area.ts';
import { receiveJson } from '../../src/adapters/http/request/receive-json.ts';
import { HostProcesses } from '../../src/adapters/system/host-processes.ts';
import { SequentialUuids } from '../support/doubles/sequential-uuids.ts';
import { patternedBytes, streamOf } from '../support/fixtures/bytes.ts';
import { temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { ManualTime } from '../support/time/manual-time.ts';

const BYTES = patternedBytes(5_000);
const MAX_CHUNKS = 1_024;

/** Each takes a hundred times as much memory as its byte. */
describe('A body whose chunks have one byte each', () => {
  it('is staged before thousands of them are held', async () => {
    const folder = await temporaryFolder();
    const staging = new FilesystemStagingArea(folder.path, new SequentialUuids(), new HostProcesses());
    let [held, most] = [0, 0];
    const counted = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
      for await (const chunk of streamOf(BYTES, 1)) {
        held += 1;
        most = Math.max(most, held);
        yield chunk;
      }
    };
    const limits = { maxBytes: BYTES.length, checkHead: (): void => {} };

    const { size } = await staging.receive(counted(), limits, () => {
      held -= 1;
    });
    await folder.remove();

    expect([size, held]).to.deep.equal([BYTES.length, 0]);
    expect(most).to.be.at.most(MAX_CHUNKS);
  });

  it('is joined before thousands of them are held if it is JSON', async () => {
    const { bytes, most } = await joined(async () => await receive(BYTES));

    expect(bytes.equals(BYTES)).to.equal(true);
    expect(most).to.be.at.most(MAX_CHUNKS + 1);
  });
});

async function receive(bytes: Uint8Array): Promise<Buffer> {
  const req = Object.assign(Readable.from(streamOf(bytes, 1), { objectMode: false }), { headers: {} });
  const request = { type: 'application/json', charset: '' };
  const ctx = { req, request, method: 'POST', get: () => '' } as unknown as Context;
  const timer = new ManualTime().after;
  return await receiveJson({
    maxBytes: bytes.length,
    mediaType: 'application/json',
    timer,
    stallTimeoutMs: 30_000,
  })(ctx);
}

/** With the most buffers that were joined at a time. */
async function joined(
  work: () => Promise<Buffer>,
): Promise<{ readonly bytes: Buffer; readonly most: number }> {
  const buffers: Pick<typeof Buffer, 'concat'> = Buffer;
  const concat = Reflect.get(buffers, 'concat');
  let most = 0;
  buffers.concat = (list, length) => {
    most = Math.max(most, list.length);
    return concat(list, length);
  };
  try {
    return { bytes: await work(), most };
  } finally {
    buffers.concat = concat;
  }
}
