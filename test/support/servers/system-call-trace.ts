import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { untilNextLook } from '../time/until-next-look.ts';

/** One system call that succeeded. Calls of several threads overlap: one is before another if it ended before that began. */
export interface SystemCall {
  readonly name: string;
  /** As strace prints them. */
  readonly args: string;
  /** Lines of the trace. */
  readonly began: number;
  readonly ended: number;
}

/** The system calls that write files and sockets. */
const CALLS =
  'openat,mkdir,mkdirat,rename,renameat,renameat2,fsync,fdatasync,write,writev,pwrite64,pwritev,sendto,sendmsg';

export function isStraceThere(): boolean {
  return spawnSync('strace', ['-V']).error === undefined;
}

/** What is printed of the bytes of a call: a page of SQLite, so that rows can be found in it. */
const PRINTED = '4096';

/** The command to start a process with. The process stays the direct child: the tracer is detached (`-D`). */
export function tracingInto(file: string): readonly string[] {
  return ['strace', '-D', '-f', '-y', '-s', PRINTED, '-e', `trace=${CALLS}`, '-e', 'signal=none', '-o', file];
}

/** The calls in a trace; call it when the process has ended. */
export async function readTrace(file: string, processId: number): Promise<readonly SystemCall[]> {
  for (;;) {
    const lines = (await readFile(file, 'utf8')).split('\n');
    // The tracer may end after the process.
    if (lines.some((line) => line.startsWith(`${processId} `) && line.includes('+++'))) return callsIn(lines);
    await untilNextLook();
  }
}

const WHOLE = /^(\d+) +(\w+)\((.*)\) += (\d+)/;
const BEGIN = /^(\d+) +(\w+)\((.*) <unfinished \.\.\.>$/;
const END = /^(\d+) +<\.\.\. (\w+) resumed>(.*)\) += (\d+)/;

function callsIn(lines: readonly string[]): readonly SystemCall[] {
  const begun = new Map<string, { readonly args: string; readonly line: number }>();
  const calls: SystemCall[] = [];
  for (const [index, line] of lines.entries()) {
    const [, thread = '', name = '', args = ''] =
      WHOLE.exec(line) ?? BEGIN.exec(line) ?? END.exec(line) ?? [];
    if (BEGIN.test(line)) begun.set(thread, { args, line: index });
    else if (END.test(line)) {
      const start = begun.get(thread);
      if (start !== undefined) calls.push({ name, args: start.args + args, began: start.line, ended: index });
    } else if (name !== '') calls.push({ name, args, began: index, ended: index });
  }
  return calls;
}
