import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { FULL_STORMS } from '../../support/full-storms.ts';
import { TARGET_NAMES } from './targets/targets.ts';

const SECONDS = FULL_STORMS ? 60 : 3;
const COMMAND = [
  '--no-opt',
  '--import',
  'tsx',
  fileURLToPath(new URL('fuzz-parsers-main.ts', import.meta.url)),
];

describe(`the readers of files and requests, fuzzed for ${SECONDS} seconds each`, () => {
  // A short run begins as the one before; FUZZ_SEED repeats the inputs of another. npm run fuzz:parsers makes longer ones.
  const seed = Number(process.env.FUZZ_SEED ?? (FULL_STORMS ? randomInt(2 ** 24) : 1));

  for (const name of TARGET_NAMES) {
    it(`${name} keeps its guarantees`, async () => {
      const options = ['--only', name, '--seconds', `${SECONDS}`, '--seed', `${seed}`];

      const { stdout } = await promisify(execFile)(process.execPath, [...COMMAND, ...options]).catch(
        (error: { stdout: string; stderr: string }) => expect.fail(error.stdout + error.stderr),
      );

      console.log(`      ${stdout.trim().replaceAll('\n', ' · ')}`);
    });
  }
});
