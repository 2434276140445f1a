import { parseArgs } from 'node:util';
import { firstRendition } from './scenarios/first-rendition.ts';
import { oneEncode } from './scenarios/one-encode.ts';
import { responsiveness } from './scenarios/responsiveness.ts';
import { storedRendition } from './scenarios/stored-rendition.ts';
import { describeMachine } from './support/machine.ts';
import { reportOf, TABLE_HEAD } from './support/report.ts';
import { lineOf, writeResults } from './support/results.ts';
import type { Outcome, Scenario } from './support/scenario.ts';
import { Workbench } from './support/workbench.ts';

/** The promises that are made of renditions, and nothing else: `node --import tsx bench/renditions.ts [--quick] [--only NAME]`. */
const SCENARIOS: readonly Scenario[] = [firstRendition, storedRendition, oneEncode, responsiveness];

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    json: { type: 'string' },
  },
});
const machine = describeMachine();
console.log(`${lineOf(machine)}\n\n${TABLE_HEAD}`);
const bench = await Workbench.set({ quick: values.quick, rounds: Number(values.rounds) });
const outcomes: Array<Outcome & { readonly name: string }> = [];
try {
  for (const scenario of SCENARIOS) {
    if (values.only !== undefined && scenario.name !== values.only) continue;
    const outcome = await scenario.run(bench);
    await bench.stopServers();
    console.log(reportOf(outcome));
    outcomes.push({ name: scenario.name, ...outcome });
  }
} finally {
  await bench.clear();
}
await writeResults('renditions', values.json, { machine, options: values, outcomes });
