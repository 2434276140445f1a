import { parseArgs } from 'node:util';
import { WEIGHTS } from './operations/operations.ts';
import { scheduleOf } from './schedule.ts';
import { simulate } from './simulate.ts';

/**
 * npm run simulate -- --seed 7
 *
 * Replays one schedule and prints its steps. `--schedules 100000 --from 1` runs many, and stops at the first that fails.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    schedules: { type: 'string', default: '20000' },
    from: { type: 'string', default: '1' },
  },
});

await (values.seed === undefined ? runMany() : replay(Number(values.seed)));

async function replay(seed: number): Promise<void> {
  const schedule = scheduleOf(seed, WEIGHTS);
  const { failure, trace } = await simulate(schedule, { keepsTrace: true });
  console.log(trace.join('\n'));
  console.log(JSON.stringify(schedule));
  console.log(failure ?? 'all rules hold');
}

async function runMany(): Promise<void> {
  const first = Number(values.from);
  const last = first + Number(values.schedules) - 1;
  const begun = process.cpuUsage();
  let failures = 0;
  let steps = 0;
  let at = 0;
  process.on('exit', (c) => {
    console.log('exit', c, 'at', at);
  });
  for (let seed = first; seed <= last; seed += 1) {
    const { failure, steps: s } = await simulate(scheduleOf(seed, WEIGHTS));
    steps += s;
    at = seed + 1;
    if (failure !== undefined) {
      failures += 1;
      if (failures < 12)
        console.log(seed, failure.message, failure.constructor.name === 'Violation' ? '' : failure.stack);
    }
  }
  const { user, system } = process.cpuUsage(begun);
  console.log({ failures, steps, cpuMs: (user + system) / 1000 });
}
