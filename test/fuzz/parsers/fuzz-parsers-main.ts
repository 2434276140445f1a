import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { fromBase64, writeCorpus } from './corpus-files.ts';
import type { FuzzReport } from './fuzz-parser.ts';
import { loadTarget, TARGET_NAMES } from './targets/targets.ts';
import { fuzzWatched } from './watched-fuzzer.ts';

/**
 * npm run fuzz:parsers -- --only png --executions 100000 --seed 1
 *
 * Executions and seconds are those of each parser; the first that is reached ends its run. `--input` runs one input, in base64.
 * `--keep` writes the inputs that add coverage to the corpus.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    executions: { type: 'string', default: '60000' },
    seconds: { type: 'string', default: 'Infinity' },
    seed: { type: 'string' },
    input: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
});

const names = values.only === undefined ? TARGET_NAMES : values.only.split(',');
if (values.input === undefined) await fuzz(Number(values.seed ?? randomInt(2 ** 24)));
else await runInput(fromBase64(values.input));

async function fuzz(seed: number): Promise<void> {
  console.log(`--seed ${seed}`);
  const limits = { executions: Number(values.executions), seconds: Number(values.seconds) };
  for (const target of names) {
    const report = await fuzzWatched({ target, seed, ...limits });
    console.log(lineOf(target, report));
    if (report.finding !== undefined) {
      process.exitCode = 1;
      console.log(`FOUND ${report.finding.fact}\n  --only ${target} --input ${report.finding.input}`);
    } else if (values.keep) writeCorpus(target, report.corpus);
  }
}

function lineOf(target: string, { executions, seconds, share, corpus, heapGrowthBytes }: FuzzReport): string {
  const bytes = corpus.reduce((sum, { length }) => sum + length, 0);
  return [
    target.padEnd(12),
    `${executions} executions, ${Math.round(executions / seconds)} per second`,
    `${(share * 100).toFixed(1)} % of the code`,
    `corpus: ${corpus.length} inputs of ${bytes} bytes`,
    `heap: ${(heapGrowthBytes / 1024).toFixed(0)} KiB more`,
  ].join(' · ');
}

async function runInput(input: Uint8Array): Promise<void> {
  for (const name of names) await (await loadTarget(name)).run(input);
  console.log('All guarantees hold.');
}
