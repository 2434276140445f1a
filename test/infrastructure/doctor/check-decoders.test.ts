import { expect } from 'chai';
import type { Confinement } from '../../../src/adapters/decoder/confinement.ts';
import type { DecoderPool } from '../../../src/adapters/decoder/decoder-pool.ts';
import { checkDecoders, type DecoderHost } from '../../../src/infrastructure/doctor/check-decoders.ts';
import { decoderPool } from '../../support/doubles/decoders.ts';

const LINUX = { isLinux: true, isRoot: false };
const ROOT = { isLinux: true, isRoot: true };
const ELSEWHERE = { isLinux: false, isRoot: false };

const OPEN = { isFrozen: false, hasOwnUser: false };
const FROZEN = { isFrozen: true, hasOwnUser: false };
const OWN_USER = { isFrozen: true, hasOwnUser: true };

const started = (confinement: Confinement): Pick<DecoderPool, 'start'> => ({
  start: async () => confinement,
});

type Case = readonly [title: string, Confinement, DecoderHost, levels: readonly string[], text: RegExp];

const CASES: readonly Case[] = [
  [
    'frozen decoders of another user',
    OWN_USER,
    ROOT,
    ['ok', 'ok'],
    /frozen.*another user.*Signals to each other/s,
  ],
  [
    'frozen decoders of the same user',
    FROZEN,
    LINUX,
    ['ok', 'ok'],
    /truncate.*setxattr.*signals, System V memory/,
  ],
  ['frozen decoders of root', FROZEN, ROOT, ['ok', 'warning'], /run as root.*CAP_SETUID/s],
  ['decoders without prlimit', OPEN, LINUX, ['warning', 'ok'], /open files.*install util-linux/s],
  ['decoders elsewhere than on Linux', OPEN, ELSEWHERE, ['warning'], /only their time is bounded/],
];

describe('checkDecoders', () => {
  for (const [title, confinement, host, levels, text] of CASES) {
    it(`says what holds for ${title}`, async () => {
      const results = await checkDecoders(started(confinement), host);

      expect(results.map(({ level }) => level)).to.deep.equal(levels);
      expect(results.map((result) => `${result.text} ${result.change}`).join('\n')).to.match(text);
    });
  }

  it('names the error of a decoder that does not start', async () => {
    const pool = decoderPool({
      program: '/nonexistent/decoder.cjs',
      places: 2,
      renditions: 1,
    });

    const results = await checkDecoders(pool);
    await pool.stop();

    expect(results).to.have.lengthOf(1);
    expect(results[0]).to.include({ level: 'problem' });
    expect(results[0]?.text).to.equal(
      "No decoder starts: Error: Cannot find module '/nonexistent/decoder.cjs'",
    );
  });
});
