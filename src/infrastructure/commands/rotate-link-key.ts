import { closingLine, countOf, parseCommandLine } from './command-line/usage.ts';
import { withStorage } from './with-storage.ts';

export async function rotateLinkKey(args: readonly string[]): Promise<number> {
  const { values } = parseCommandLine({ args: [...args], options: { revoke: { type: 'boolean' } } });
  const revoke = values.revoke === true;
  return await withStorage(async ({ rotateLinkKey: rotation }) => {
    const report = await rotation.execute({ revoke });
    console.log(JSON.stringify({ revoked: revoke, ...report }));
    closingLine(summaryOf(revoke, report.formerKeys));
    return 0;
  });
}

function summaryOf(revoked: boolean, formerKeys: number): string {
  if (revoked) return 'There is a new key. No link that was made earlier is good any more.';
  return `There is a new key. Links of ${countOf(formerKeys, 'former key')} are good until they expire.`;
}
