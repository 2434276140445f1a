import { expect } from 'chai';
import { backup } from '../../src/infrastructure/commands/backup.ts';
import { type Command, UsageError } from '../../src/infrastructure/commands/command-line/usage.ts';
import { exportCatalog } from '../../src/infrastructure/commands/export.ts';
import { importFolder } from '../../src/infrastructure/commands/import/import.ts';
import { reindex } from '../../src/infrastructure/commands/reindex.ts';
import { rotateLinkKey } from '../../src/infrastructure/commands/rotate-link-key.ts';
import { serve } from '../../src/infrastructure/commands/serve.ts';
import { spaces } from '../../src/infrastructure/commands/spaces/spaces.ts';
import { sweep } from '../../src/infrastructure/commands/sweep.ts';
import { transfer } from '../../src/infrastructure/commands/transfer/transfer.ts';
import { verify } from '../../src/infrastructure/commands/verify.ts';
import { rejection } from '../support/fixtures/rejection.ts';

describe('A command', () => {
  const WRONG_CALLS: ReadonlyArray<readonly [command: Command, args: readonly string[]]> = [
    [serve, ['--port=1']],
    [serve, ['now']],
    [verify, ['--all']],
    [verify, ['now']],
    [verify, ['--format', 'xml']],
    [verify, ['--sample', '0%']],
    [verify, ['--sample', '101%']],
    [verify, ['--sample', 'some']],
    [sweep, ['--dry']],
    [sweep, ['now']],
    [rotateLinkKey, ['--revoke=now']],
    [rotateLinkKey, ['now']],
    [importFolder, ['there', '--json']],
    [importFolder, ['there', '--url', 'http://x', '--direct']],
    [importFolder, []],
    [importFolder, ['.', '--jobs', '0']],
    [importFolder, ['.', '--jobs', '65']],
    [exportCatalog, ['one', 'two']],
    [exportCatalog, ['one', '--jobs', 'x']],
    [exportCatalog, ['one', '--format', 'xml']],
    [reindex, ['--format', 'xml']],
    [importFolder, ['.', '--space', 'cats']],
    [importFolder, ['.', '--direct', '--space', 'a\tb']],
    [exportCatalog, ['one', '--space', 'cats', '--url', 'http://x']],
    [exportCatalog, ['one', '--direct', '--space', 'x'.repeat(256)]],
    [spaces, ['list']],
    [spaces, ['--yes']],
    [spaces, ['--format', 'xml']],
    [spaces, ['set', 'cats']],
    [spaces, ['set', '--max-images', '1']],
    [spaces, ['set', 'cats', '--max-images', '-1']],
    [spaces, ['set', 'cats', '--max-bytes', '1e3']],
    [spaces, ['set', 'cats', '--max-bytes', '9007199254740992']],
    [spaces, ['set', 'cats', '--max-bytes', '1', '--yes']],
    [spaces, ['set', 'a\u007fb', '--max-bytes', '1']],
    [spaces, ['assign', 'cats']],
    [spaces, ['assign', 'cats', 'cats']],
    [spaces, ['assign', 'cats', 'dogs', '--yes']],
    [spaces, ['assign', 'cats', 'dogs', 'birds']],
    [spaces, ['remove', 'cats']],
    [spaces, ['remove', '--yes']],
    [spaces, ['remove', '--', 'cats', '--yes']],
    [spaces, ['remove', '-cats', '--yes']],
    [transfer, ['--concurrency', '2']],
    [backup, []],
    [backup, ['one', 'two']],
    [backup, ['--to', 'there']],
  ];
  for (const [command, args] of WRONG_CALLS) {
    it(`rejects the call "${[command.name, ...args].join(' ')}"`, async () => {
      expect(await rejection(command(args))).to.be.instanceOf(UsageError);
    });
  }
});
