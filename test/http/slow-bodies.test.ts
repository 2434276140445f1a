import { once } from 'node:events';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import type { RequestError } from '../../src/adapters/http/errors/request-error.ts';
import { BodyTimeout } from '../../src/adapters/http/request/body-timeout.ts';
import { UploadBody } from '../../src/adapters/http/upload/receive-file.ts';
import { FORM_TYPE, filePart, multipart, openMultipart } from '../support/fixtures/multipart.ts';
import { noisyPng } from '../support/fixtures/pictures.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { type RawConnection, requestHead } from '../support/http/raw-connection.ts';
import { TestService } from '../support/http/test-service.ts';
import { eventually } from '../support/time/eventually.ts';
import { settled } from '../support/time/gate.ts';
import { ManualTime } from '../support/time/manual-time.ts';

const SECOND = 1_000;
const STALLED = 'The request body has stopped coming';
const SLOW = 'The request body comes too slowly';

let time: ManualTime;

function options(): { readonly timer: ManualTime['after']; readonly stallTimeoutMs: number } {
  return { timer: time.after, stallTimeoutMs: 30 * SECOND };
}

describe('BodyTimeout', () => {
  let isReady: boolean;
  let timeout: BodyTimeout;
  let ended: readonly string[];

  beforeEach(() => {
    time = new ManualTime();
    isReady = true;
    ended = [];
    timeout = new BodyTimeout(options(), {
      isReady: () => isReady,
      end: ({ message }) => {
        timeout.stop();
        ended = [...ended, message];
      },
    });
  });

  /** Each second so many bytes, except while the service does not read. */
  function receive(bytesASecond: number, seconds: number): void {
    for (let second = 0; second < seconds; second += 1) {
      timeout.add(bytesASecond);
      time.pass(SECOND);
    }
  }

  it('ends a body that never begins after 30 s', () => {
    time.pass(30 * SECOND - 1);
    expect(ended).to.deep.equal([]);
    time.pass(1);
    expect(ended).to.deep.equal([STALLED]);
  });

  for (const phase of [1, 500, 999]) {
    it(`ends a body within 30 s of its last byte, and not before 29 s, if that comes ${phase} ms after a second`, () => {
      receive(5_000, 100);
      time.pass(phase);
      timeout.add(1);
      time.pass(29 * SECOND - 1);
      expect(ended).to.deep.equal([]);
      time.pass(SECOND + 1);
      expect(ended).to.deep.equal([STALLED]);
    });
  }

  it('ends a body of fewer than 60 KB in a minute', () => {
    receive(1_000, 600);
    expect(ended).to.deep.equal([]);
    receive(999, 60);
    expect(ended).to.deep.equal([SLOW]);
  });

  it('does not count the time in which the service does not read', () => {
    receive(900, 59);
    isReady = false;
    time.pass(3600 * SECOND);
    isReady = true;
    expect(ended).to.deep.equal([]);
    timeout.add(6_900);
    time.pass(SECOND);
    expect(ended).to.deep.equal([]);
    receive(900, 60);
    expect(ended).to.deep.equal([SLOW]);
  });

  it('knows what came in the last ten seconds, once they are over', () => {
    receive(1_000, 9);
    time.pass(SECOND - 1);
    expect(timeout.recentBytes).to.equal(undefined);
    time.pass(1);
    expect(timeout.recentBytes).to.equal(9_000);
    receive(5_000, 7);
    timeout.add(7);
    expect(timeout.recentBytes).to.equal(37_007);
  });

  it('knows of no recent bytes while the service does not read, and counts only time in which it does', () => {
    receive(1_000, 5);
    isReady = false;
    time.pass(60 * SECOND);
    timeout.add(500);
    isReady = true;
    receive(1_000, 4);
    expect(timeout.recentBytes).to.equal(undefined);
    receive(1_000, 1);
    expect(timeout.recentBytes).to.equal(10_500);
    isReady = false;
    expect(timeout.recentBytes).to.equal(undefined);
  });

  it('counts nothing once it is stopped', () => {
    timeout.stop();
    time.pass(3600 * SECOND);
    expect(ended).to.deep.equal([]);
  });
});

describe('A body whose bytes wait for the storage', () => {
  it('is not slow, however long they wait', async () => {
    time = new ManualTime();
    const request = new IncomingMessage(new Socket());
    const body = new UploadBody(request, { maxFileBytes: 1_000_000, ...options() });
    request.push('a piece');
    await settled();
    time.pass(3600 * SECOND);
    expect([body.destroyed, body.recentBytes()]).to.deep.equal([false, undefined]);

    const read = rejection(text(body));
    await settled();
    time.pass(10 * SECOND);
    expect(body.recentBytes()).to.equal(7);
    time.pass(20 * SECOND);
    expect(await read).to.include({
      code: 'request_timeout',
      message: STALLED,
    } satisfies Partial<RequestError>);
  });
});

describe('A body that has arrived', () => {
  it('cannot be ended for another upload, however long it takes to be stored', async () => {
    time = new ManualTime();
    const request = new IncomingMessage(new Socket());
    const body = new UploadBody(request, { maxFileBytes: 1_000_000, ...options() });
    request.push('a piece');
    body.resume();
    await settled();
    time.pass(10 * SECOND);
    expect(body.recentBytes()).to.equal(7);

    request.complete = true;
    expect(body.recentBytes()).to.equal(undefined);
    body.destroy();
  });
});

interface Begun {
  readonly connection: RawConnection;
  /** What the service has read of it, in bytes. */
  readonly received: () => number;
}

describe('A body on a slow connection', () => {
  let service: TestService;

  beforeEach(async () => {
    time = new ManualTime();
    service = await TestService.start({ timer: time.after, stallTimeoutMs: 30 * SECOND });
  });

  afterEach(() => service.stop());

  /** Resolves when the service waits for the body. */
  async function begin(path: string, type: string, length: number): Promise<Begun> {
    const accepted = once(service.server, 'connection') as Promise<[Socket]>;
    const connection = await service.connect();
    const [otherSide] = await accepted;
    const headers = { 'Content-Type': type, 'Content-Length': length, Expect: '100-continue' };
    connection.send(requestHead('POST', path, { Authorization: service.bearer, ...headers }));
    expect((await connection.response()).status).to.equal(100);
    return { connection, received: () => otherSide.bytesRead };
  }

  async function sendAndPass({ connection, received }: Begun, bytes: Uint8Array, ms: number): Promise<void> {
    const expected = received() + bytes.length;
    connection.send(bytes);
    await eventually(received, (count) => count === expected);
    await time.settle(ms);
  }

  for (const [what, path, type, start] of [
    [
      'an upload',
      '/api/upload',
      FORM_TYPE,
      openMultipart([filePart(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))]),
    ],
    ['a JSON body', '/api/images/lookup', 'application/json', Buffer.from('{')],
  ] as const) {
    it(`gets 408 after a minute if ${what} comes byte by byte, and leaves nothing`, async () => {
      const begun = await begin(path, type, 1_000);
      await sendAndPass(begun, start, 20 * SECOND);
      await sendAndPass(begun, Buffer.from(' '), 20 * SECOND);
      await sendAndPass(begun, Buffer.from(' '), 20 * SECOND);
      const { status, body } = await begun.connection.response();
      await begun.connection.closed;

      expect([status, JSON.parse(body)]).to.deep.equal([408, { code: 'request_timeout', message: SLOW }]);
      expect(await service.leftovers()).to.deep.equal([]);
    });
  }

  it('is stored if it has 60 KB in each minute', async () => {
    const form = multipart([filePart(await noisyPng(230, 230))]);
    const begun = await begin('/api/upload', FORM_TYPE, form.length);
    const piece = Math.ceil(form.length / 6);
    expect(piece).to.be.within(20_000, 30_000);
    for (let at = 0; at < form.length; at += piece) {
      await sendAndPass(begun, form.subarray(at, at + piece), 20 * SECOND);
    }

    expect((await begun.connection.response()).status).to.equal(201);
    begun.connection.end();
  });
});
