import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import { openResponse } from '../../src/adapters/s3/open-response.ts';
import type { OpenedBlob } from '../../src/domain/ports/bytes/readable-bytes.ts';
import { patternedBytes } from '../support/fixtures/bytes.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { settled } from '../support/time/gate.ts';
import { VirtualTimers } from '../support/time/virtual-timers.ts';

const STALL_MS = 10_000;
const SIZE = 300_000;

describe('A response of S3', () => {
  let time: VirtualTimers;
  let body: Readable;
  let blob: OpenedBlob;

  beforeEach(async () => {
    time = new VirtualTimers();
    body = new Readable({ read: () => {} });
    const response = { ETag: '"tag"', ContentLength: SIZE, Body: body, $metadata: {} };
    blob = await openResponse(response as unknown as Parameters<typeof openResponse>[0], {
      what: 'a blob',
      stallMs: STALL_MS,
    });
  });

  it('waits for a slow reader', async () => {
    body.push(patternedBytes(SIZE / 2));
    const chunks: Uint8Array[] = [];
    await time.use(async () => {
      for await (const chunk of blob.read()) {
        if (chunks.length === 0) body.push(patternedBytes(SIZE / 2));
        else body.push(null);
        time.pass(3 * STALL_MS);
        chunks.push(chunk);
      }
    });

    expect(Buffer.concat(chunks)).to.have.length(SIZE);
  });

  it('fails if the server sends nothing for too long', async () => {
    const reading = rejection(time.use(() => buffer(blob.read())));
    for (let pieces = 0; pieces < 3; pieces += 1) {
      body.push(patternedBytes(1000));
      await settled();
      time.pass(STALL_MS - 1);
    }
    time.pass(1);

    expect(String((await reading).cause)).to.match(/The server has sent nothing for 10000 ms/);
  });
});
