import { parseArgs } from 'node:util';
import { explain } from './explain.ts';
import { WEIGHTS } from './operations/operations.ts';
import { runSchedules } from './run-schedules.ts';
import { type Schedule, scheduleOf } from './schedule.ts';
import { simulate } from './simulate.ts';

/**
 * npm run simulate -- --schedules 100000 --from 1
 *
 * Stops at the first schedule that breaks the contract. `--seed 7` replays one and prints its steps; `--schedule '{…}'` replays one
 * that was made shorter.
 */
const { values } = parseArgs({
  options: {
    schedules: { type: 'string', default: '20000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    schedule: { type: 'string' },
  },
});

if (values.schedule !== undefined) await replay(JSON.parse(values.schedule) as Schedule);
else if (values.seed !== undefined) await replay(scheduleOf(Number(values.seed), WEIGHTS));
else await runMany(Number(values.from), Number(values.schedules));

async function replay(schedule: Schedule): Promise<void> {
  const { failure, trace } = await simulate(schedule, { keepsTrace: true });
  console.log(trace.join('\n'));
  console.log(failure ?? 'The contract holds.');
  process.exitCode = failure === undefined ? 0 : 1;
}

async function runMany(first: number, count: number): Promise<void> {
  const cpu = process.cpuUsage();
  const { schedules, steps, requests, faults, interleavings, failing } = await runSchedules(first, count);
  const { user, system } = process.cpuUsage(cpu);
  const seconds = (user + system) / 1e6;
  console.log(
    `${schedules} schedules in ${seconds.toFixed(1)} s of CPU: ${Math.round(schedules / seconds)} per second`,
  );
  console.log(`${requests} calls of ports, ${steps} steps, ${interleavings.size} distinct interleavings`);
  console.log(`faults: ${[...faults].map(([kind, times]) => `${kind} × ${times}`).join(', ')}`);
  if (failing === undefined) return;
  console.log(await explain(failing));
  process.exitCode = 1;
}
