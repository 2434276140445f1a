import { expect } from 'chai';
import type { Logger } from 'pino';
import { createLog } from '../../src/infrastructure/start/create-log.ts';

const KB = 1024;

let lines: string[];
let log: Logger;

beforeEach(() => {
  lines = [];
  log = createLog('trace', { write: (line) => lines.push(line) });
});

function entry(): Readonly<Record<string, unknown>> {
  expect(lines).to.have.length(1);
  expect(lines[0]?.endsWith('\n')).to.equal(true);
  return JSON.parse(lines[0] ?? '') as Record<string, unknown>;
}

interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly stack: string;
  readonly code?: string;
}

function loggedError(): LoggedError {
  return entry()['err'] as LoggedError;
}

/** Each with the one before as its cause. */
function chain(length: number, message = 'failed'): Error {
  let error = new Error(`${message} 0`);
  for (let at = 1; at < length; at += 1) error = new Error(`${message} ${at}`, { cause: error });
  return error;
}

/** Leads back to itself. */
function circle(): Error {
  const error = new Error('round');
  error.cause = error;
  return error;
}

describe('an error in the log', () => {
  it('has its type, code, messages and frames, those of its causes too', () => {
    const cause = Object.assign(new TypeError('no route'), { code: 'EHOSTUNREACH' });
    const error = Object.assign(new RangeError('not reached', { cause }), { code: 'unavailable' });
    log.warn({ err: error }, 'request refused');
    const { type, message, stack, code } = loggedError();
    expect([type, message, code]).to.deep.equal(['RangeError', 'not reached: no route', 'unavailable']);
    expect(stack.split('caused by').map((frames) => frames.trim().slice(0, 3))).to.deep.equal(['at ', 'at ']);
    expect(stack).to.include('create-log.test');
  });

  it('has the first of several errors', () => {
    log.warn({ err: new AggregateError([new Error('no route'), new Error('refused')], 'all failed') });
    expect(loggedError().message).to.equal('all failed: no route');
  });

  it('has no fields of its own besides the code', () => {
    log.warn({ err: Object.assign(new Error('failed'), { statement: 'x'.repeat(KB), response: {} }) });
    expect(Object.keys(loggedError())).to.deep.equal(['type', 'message', 'stack']);
  });

  for (const [name, error] of [
    ['a message of 500 KB', () => new Error('x'.repeat(500 * KB))],
    ['a message of 500 KB of emoji', () => new Error('😀'.repeat(125 * KB))],
    ['a chain of 100,000 causes', () => chain(100_000)],
    ['a chain of causes with long messages', () => chain(20, 'x'.repeat(50 * KB))],
    ['itself as its cause', circle],
    [
      'a name and a code of 500 KB',
      () => Object.assign(new Error(''), { name: 'n'.repeat(500 * KB), code: 'c'.repeat(500 * KB) }),
    ],
    ['messages like frames', () => new Error('\n    at x'.repeat(50 * KB))],
  ] as const) {
    it(`with ${name} takes at most 2 KB`, () => {
      log.error({ err: error() }, 'request failed');
      const texts = Object.values(loggedError()).join('');
      expect(Buffer.byteLength(texts)).to.be.at.most(2 * KB);
      expect(texts).not.to.include('\ufffd');
    });
  }

  it('keeps frames behind a long message', () => {
    log.error({ err: new Error('x'.repeat(500 * KB)) });
    expect(loggedError().stack).to.include('create-log.test');
  });

  it('may be no error', () => {
    log.error({ err: 'x'.repeat(500 * KB) });
    expect(String(entry()['err']).length).to.be.at.most(2 * KB);
  });
});

describe('a line of the log', () => {
  it('that is short is as pino makes it', () => {
    log.child({ requestId: 'r', traceId: 't' }).info({ path: '/api/images', status: 200 }, 'request');
    const { level, msg, requestId, traceId, path, status } = entry();
    expect([level, msg, requestId, traceId, path, status]).to.deep.equal([
      30,
      'request',
      'r',
      't',
      '/api/images',
      200,
    ]);
  });

  for (const [name, facts, message] of [
    ['a path of 16 KB', { path: '/x'.repeat(8 * KB), status: 400 }, 'request'],
    ['a message of 500 KB', { status: 400 }, 'x'.repeat(500 * KB)],
    ['a text of control characters', { status: 400, words: '\u0001'.repeat(100 * KB) }, 'decoder ended'],
    [
      'a list of 100,000 names',
      { status: 400, names: Array.from({ length: 100_000 }, (_, at) => `name-${at}`) },
      'left alone',
    ],
    [
      'many long texts',
      {
        status: 400,
        ...Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`text${at}`, '猫'.repeat(10 * KB)])),
      },
      'long',
    ],
    [
      'an error of escapes and a long path',
      { status: 400, err: new Error('\u0001'.repeat(10 * KB)), path: '/'.repeat(5 * KB) },
      'request failed',
    ],
  ] as const) {
    it(`with ${name} takes at most 8 KB and is JSON`, () => {
      log.child({ requestId: 'x'.repeat(128), traceId: '0'.repeat(32) }).warn(facts, message);
      expect(Buffer.byteLength(lines[0] ?? '')).to.be.at.most(8 * KB);
      const { level, time, status, requestId, msg } = entry();
      expect([level, status]).to.deep.equal([40, 400]);
      expect(time).to.be.a('number');
      expect(String(requestId).slice(0, 8)).to.equal('xxxxxxxx');
      expect(message.startsWith(String(msg).slice(0, 4))).to.equal(true);
    });
  }
});
