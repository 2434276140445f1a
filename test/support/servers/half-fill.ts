import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { startScript } from './service-process.ts';

const SCRIPT = fileURLToPath(new URL('half-fill-main.ts', import.meta.url));

/** Migrates a database in a process that is killed while it fills the second page. */
export async function halfFill(databaseUrl: string): Promise<void> {
  const killed = startScript(SCRIPT, [], { cwd: tmpdir(), env: { DATABASE_URL: databaseUrl } });
  expect(await killed.exited, killed.output).to.deep.equal({ code: null, signal: 'SIGKILL' });
}
