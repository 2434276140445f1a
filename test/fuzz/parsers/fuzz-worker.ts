import { parentPort, workerData } from 'node:worker_threads';
import { BlockCoverage } from './block-coverage.ts';
import { readInputs } from './corpus-files.ts';
import { type FuzzPlan, ParserFuzzer } from './fuzz-parser.ts';
import { loadTarget } from './targets/targets.ts';
import { announcer } from './watched-fuzzer.ts';

const { plan, shared } = workerData as { plan: FuzzPlan; shared: SharedArrayBuffer };
const coverage = new BlockCoverage();
coverage.start();
const target = await loadTarget(plan.target);
coverage.watch(target.sources);
const known = (['corpus', 'found'] as const).flatMap((kind) => readInputs(kind, plan.target));
const fuzzer = new ParserFuzzer(target, coverage, announcer(shared));
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.postMessage(await fuzzer.run(plan, known));
