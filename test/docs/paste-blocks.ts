import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { NodeProcess } from '../support/servers/service-process.ts';
import { PROJECT_FOLDER } from '../support/servers/service-process.ts';
import { commandBlocks } from './command-blocks.ts';

const run = promisify(execFile);

/** Resolves when the demo has printed its lines, to those that a person pastes. */
export async function printedLines(demo: NodeProcess): Promise<string> {
  await demo.line((line) => (line.startsWith('curl -sSi -H') ? line : undefined));
  return demo.stdout.slice(demo.stdout.indexOf('\n# '));
}

/** The blocks of a page that can be run, as one text. */
export async function blocksOf(page: string): Promise<string> {
  const blocks = commandBlocks(page, await readFile(join(PROJECT_FOLDER, page), 'utf8'));
  return blocks
    .filter(({ notRun }) => notRun === undefined)
    .map(({ place, text }) => `echo '### ${place}'\n${text}`)
    .join('\n');
}

/**
 * Pastes texts into one shell that ends at the first command that fails.
 *
 * @param printed by the demo whose addresses stand for those of the documentation
 * @param preamble comes before all texts
 * @returns what the shell has printed if it failed
 */
export async function pasteInto(
  folder: string,
  texts: readonly string[],
  { printed, preamble = '' }: { readonly printed: string; readonly preamble?: string },
): Promise<string | undefined> {
  const api = /(http:\/\/\S+)\/api\/images/.exec(printed)?.[1] ?? '';
  const provider = /(http:\/\/\S+)\/oauth\/token/.exec(printed)?.[1] ?? '';
  const text = texts
    .join('\n')
    .replaceAll('http://127.0.0.1:3000', api)
    .replaceAll('http://127.0.0.1:3001', provider);
  const script = join(folder, 'pasted.sh');
  await writeFile(script, `set -euo pipefail\n${preamble}${text}`);
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    IDP_DOMAIN: `${provider}/`,
    IDP_AUDIENCE: 'https://image-catalog.example/',
  };
  return await run('bash', [script], { cwd: folder, env }).then(
    () => undefined,
    ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) =>
      `${stdout.slice(-2000)}\n${stderr}`,
  );
}
