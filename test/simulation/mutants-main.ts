import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { MUTANTS, type Mutant } from './mutants.ts';

/**
 * npm run mutants
 *
 * Plants each mutant into a copy of the sources, and runs the simulation until it is found. Prints a table for the documentation.
 */
const { values } = parseArgs({
  options: { schedules: { type: 'string', default: '20000' }, only: { type: 'string', default: '' } },
});

const COPIED = ['package.json', 'tsconfig.json', 'src', 'migrations', 'test'];
const FAILED = /--seed (\d+)/;
const REASON = /fails; shorter: (.*)/;

const folder = mkdtempSync(join(tmpdir(), 'mutants-'));
try {
  for (const path of COPIED) cpSync(path, join(folder, path), { recursive: true });
  for (const linked of ['node_modules', 'client']) {
    symlinkSync(join(process.cwd(), linked), join(folder, linked));
  }
  console.log('| planted fault | at schedule | as |\n| --- | --- | --- |');
  for (const mutant of MUTANTS) if (mutant.title.includes(values.only)) console.log(rowOf(mutant));
} finally {
  rmSync(folder, { recursive: true });
}

function rowOf(mutant: Mutant): string {
  const output = withMutant(mutant, simulate);
  const seed = FAILED.exec(output)?.[1];
  if (seed === undefined) process.exitCode = 1;
  return `| ${[mutant.title, seed ?? 'not found', REASON.exec(output)?.[1] ?? ''].join(' | ')} |`;
}

function simulate(): string {
  const args = ['--import', 'tsx', 'test/simulation/simulate-main.ts', '--schedules', values.schedules];
  return spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }).stdout;
}

function withMutant<T>({ title, file, code, replacement }: Mutant, work: () => T): T {
  const path = join(folder, file);
  const original = readFileSync(path, 'utf8');
  if (original.split(code).length !== 2) throw new Error(`${title}: the code is not there once in ${file}`);
  writeFileSync(
    path,
    original.replace(code, () => replacement),
  );
  try {
    return work();
  } finally {
    writeFileSync(path, original);
  }
}
