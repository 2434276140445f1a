import { openSync, readSync } from 'node:fs';

/** The first number of the file is the time on a CPU, in ns. */
const FILE = `/proc/self/task/${process.pid}/schedstat`;
const bytes = Buffer.alloc(64);
const file = open();

function open(): number | undefined {
  try {
    return openSync(FILE, 'r');
  } catch {
    return undefined;
  }
}

/** In ms, of the thread that runs JavaScript; `undefined` if the system does not count it. */
export function mainThreadCpu(): number | undefined {
  if (file === undefined) return undefined;
  const length = readSync(file, bytes, 0, bytes.length, 0);
  return Number.parseInt(bytes.toString('latin1', 0, length), 10) / 1e6;
}
