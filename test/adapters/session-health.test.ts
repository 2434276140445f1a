import { EventEmitter } from 'node:events';
import { expect } from 'chai';
import type { ConnectedClient } from '../../src/adapters/sql/postgres/prepare-session.ts';
import { SessionHealth } from '../../src/adapters/sql/postgres/session-health.ts';

let now: number;
let health: SessionHealth;

interface Session {
  readonly client: ConnectedClient;
  /** The server responds with an error. */
  readonly fail: (code: string) => void;
}

function open(): Session {
  const connection = new EventEmitter();
  const client = { connection } as unknown as ConnectedClient;
  health.watch(client);
  return { client, fail: (code) => void connection.emit('errorMessage', { code }) };
}

function usable(...sessions: readonly Session[]): readonly boolean[] {
  return sessions.map(({ client }) => health.isUsable(client));
}

describe('The health of sessions', () => {
  beforeEach(() => {
    now = 5_000;
    health = new SessionHealth(() => now);
  });

  for (const code of [
    '08006',
    '08P01',
    '25006',
    '25P03',
    '26000',
    '42P05',
    '57P01',
    '57P02',
    '57P03',
    '57P05',
  ]) {
    it(`is gone after ${code}`, () => {
      const [broken, other] = [open(), open()];

      broken.fail(code);

      expect(usable(broken)).to.deep.equal([false]);
      expect(usable(other)).to.deep.equal([code !== '25006']);
    });
  }

  for (const code of ['23505', '40001', '40P01', '42501', '53100', '55P03', '57014']) {
    it(`stays after ${code}`, () => {
      const session = open();

      session.fail(code);

      expect(usable(session)).to.deep.equal([true]);
    });
  }

  it('ends for all older sessions if one is read-only, and not for newer ones', () => {
    const [first, second] = [open(), open()];
    now += 10;
    first.fail('25006');
    now += 1;
    const third = open();

    expect(usable(first, second, third)).to.deep.equal([false, false, true]);
  });

  it('ends for all sessions at most once a second while the server stays read-only, and then without a doubt', () => {
    const first = open();
    now += 1;
    first.fail('25006');
    now += 1;
    const [second, third] = [open(), open()];
    expect(usable(third)).to.deep.equal([true]);

    now += 10;
    second.fail('25006');
    expect(usable(second, third)).to.deep.equal([false, true]);
    now += 990;
    expect(usable(second, third)).to.deep.equal([false, false]);
  });
});
