import { TOKENS } from '../tokens.ts';
import { command } from './command-line/command.ts';
import { flag } from './command-line/option.ts';
import { closingLine, countOf } from './command-line/output.ts';
import { withStorage } from './with-storage.ts';

export const rotateLinkKey = command({
  summary: 'makes a new key for signed links; earlier links stay good until they expire',
  options: { revoke: flag('ends all earlier links, within a second') },
  run: ({ revoke }) =>
    withStorage(async (storage) => {
      const formerKeys = await storage.get(TOKENS.rotateLinkKey).execute({ revoke });
      console.log(JSON.stringify({ revoked: revoke, formerKeys }));
      closingLine(summaryOf(revoke, formerKeys));
      return 0;
    }),
});

function summaryOf(revoked: boolean, formerKeys: number): string {
  if (revoked) return 'There is a new key. No link that was made earlier is good any more.';
  return `There is a new key. Links of ${countOf(formerKeys, 'former key')} are good until they expire.`;
}
