import { format } from 'node:util';
import type { Environment } from './service-process.ts';

/** The result of a command. */
export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

let earlier: Promise<unknown> = Promise.resolve();

/**
 * Runs a command in this process, without the time that a process needs to start. It has its environment and working folder,
 * and prints to no terminal. Commands run one after another. Lines of their log are not part of the result.
 */
export async function runInThisProcess(
  args: readonly string[],
  env: Environment,
  cwd: string,
): Promise<CommandResult> {
  const run = earlier.then(() => runAlone(args, env, cwd));
  earlier = run.catch(() => undefined);
  return await run;
}

async function runAlone(args: readonly string[], env: Environment, cwd: string): Promise<CommandResult> {
  // Mocha requires the tests. A command is imported when it is called: only an import shares its classes of errors.
  const { runCommand } = await import('../../../src/infrastructure/run-command.ts');
  const output = { log: [] as string[], error: [] as string[] };
  const restore = [
    replaceProperty(process, 'env', { ...env }),
    replaceProperty(process.stdout, 'isTTY', false),
    replaceProperty(process.stderr, 'isTTY', false),
    replaceProperty(console, 'log', (...values: unknown[]) => output.log.push(format(...values))),
    replaceProperty(console, 'error', (...values: unknown[]) => output.error.push(format(...values))),
    forgetSignals(),
    enterFolder(cwd),
  ];
  try {
    const code = await runCommand(args);
    return {
      code,
      stdout: output.log.join('\n'),
      stderr: output.error.map((line) => `${line}\n`).join(''),
    };
  } finally {
    for (const undo of restore) undo();
  }
}

function replaceProperty(object: object, name: string, value: unknown): () => void {
  const own = Object.getOwnPropertyDescriptor(object, name);
  Object.defineProperty(object, name, { value, configurable: true, writable: true, enumerable: true });
  return () => {
    if (own === undefined) Reflect.deleteProperty(object, name);
    else Object.defineProperty(object, name, own);
  };
}

/** Commands listen for signals until their process ends. */
function forgetSignals(): () => void {
  const before = new Map(SIGNALS.map((signal) => [signal, process.listeners(signal)]));
  return () => {
    for (const [signal, listeners] of before) {
      for (const listener of process.listeners(signal)) {
        if (!listeners.includes(listener)) process.off(signal, listener);
      }
    }
  };
}

function enterFolder(path: string): () => void {
  const before = process.cwd();
  process.chdir(path);
  return () => process.chdir(before);
}
