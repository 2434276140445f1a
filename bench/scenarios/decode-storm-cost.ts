import { type DecodeStorm, decodeStorm } from '../../test/support/servers/decode-storm.ts';
import type { Note, Outcome, Scenario } from '../support/scenario.ts';
import { withCatalog } from '../support/with-catalog.ts';

const MB = 1e6;

/** Eight clients at once upload pictures of 50 megapixels, then request renditions of them. */
export const decodeStormCost: Scenario = { name: 'decode-storm', run };

async function run(): Promise<Outcome> {
  const { uploads, renditions } = await withCatalog(decodeStorm);
  return { notes: [...notesOf('uploads', uploads), ...notesOf('renditions', renditions)] };
}

function notesOf(
  work: keyof DecodeStorm,
  { cpuSeconds, growthBytes, statuses }: DecodeStorm[keyof DecodeStorm],
): readonly Note[] {
  const what = `eight ${work} of 50 megapixels at once`;
  return [
    ...Object.entries(statuses).map(([status, count]) => ({
      what: `${what}: ${status}`,
      measured: count,
      unit: 'responses',
    })),
    { what: `${what}: CPU`, measured: cpuSeconds, unit: 's' },
    { what: `${what}: memory above idle`, measured: growthBytes / MB, unit: 'MB' },
  ];
}
