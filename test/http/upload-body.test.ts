import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { UploadBody } from '../../src/adapters/http/upload/receive-file.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { settled } from '../support/time/gate.ts';
import { ManualTime } from '../support/time/manual-time.ts';

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
});
