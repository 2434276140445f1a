import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { RequestError } from '../../src/adapters/http/request-error.ts';
import { UploadBody } from '../../src/adapters/http/upload/receive-file.ts';
import { ManualTime } from '../support/doubles/manual-time.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { settled } from '../support/time/gate.ts';
import { VirtualTimers } from '../support/time/virtual-timers.ts';

const TIMEOUTS = { timer: new ManualTime().after, stallTimeoutMs: 30_000 };

describe('UploadBody', () => {
  it('ends with its request even if the rest of the request has arrived and is unread', async () => {
    const request = new IncomingMessage(new Socket());
    request.on('error', () => {});
    const body = new UploadBody(request, { maxFileBytes: 10_000_000, ...TIMEOUTS });
    // More than the body buffers before it is read.
    for (let pieces = 0; pieces < 20; pieces += 1) request.push(Buffer.alloc(50_000));
    request.push(null);
    request.complete = true;
    await settled();

    request.destroy(new Error('aborted'));

    expect(await rejection(text(body))).to.have.property('message', 'The client left');
  });

  it('continues to its end if its request closes after it was read', async () => {
    const request = new IncomingMessage(new Socket());
    const body = new UploadBody(request, { maxFileBytes: 1_000_000, ...TIMEOUTS });
    request.push('all of it');
    request.push(null);
    request.complete = true;
    await new Promise((resolve) => request.once('close', resolve));

    expect(await text(body)).to.equal('all of it');
  });

  describe('of a client that stalls', () => {
    const STALL_MS = 30_000;
    let time: VirtualTimers;
    let request: IncomingMessage;

    beforeEach(() => {
      time = new VirtualTimers();
      request = new IncomingMessage(new Socket());
      request.on('error', () => {});
    });

    async function opened(): Promise<UploadBody> {
      const limits = { maxFileBytes: 1_000_000, stallTimeoutMs: STALL_MS };
      return await time.use(async () => new UploadBody(request, limits));
    }

    async function push(bytes: string | Buffer | null): Promise<void> {
      request.push(bytes);
      await settled();
    }

    it('ends when the time is over', async () => {
      const reading = rejection(text(await opened()));
      await push('a part');
      time.pass(STALL_MS - 1);
      time.pass(1);

      expect(await reading)
        .to.be.instanceOf(RequestError)
        .and.have.property('code', 'request_timeout');
    });

    it('continues as long as something arrives in time', async () => {
      const reading = text(await opened());
      for (const piece of 'slowly') {
        time.pass(STALL_MS - 1);
        await push(piece);
      }
      await push(null);

      expect(await reading).to.equal('slowly');
    });

    it('continues while what has arrived waits to be stored', async () => {
      const body = await opened();
      await push('a part');
      for (let stalls = 0; stalls < 3; stalls += 1) time.pass(STALL_MS);
      await push(null);

      expect(await text(body)).to.equal('a part');
    });
  });
});
