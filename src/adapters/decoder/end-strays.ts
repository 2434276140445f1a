import { readdir, readFile } from 'node:fs/promises';

/** "nobody", the user of decoders where the service is root. */
const NOBODY = 65_534;
const INIT = 1;

/** The decoders of this process, which has the id 1 in a container without an init. */
export const ownDecoders = new Set<number>();

/**
 * Ends processes that decoders have started and left: with a session of their own and without a parent they outlive their decoder. They
 * are known by its limit of no open file, which no process can raise again. Does nothing where init cannot be told from a service that
 * has the id 1, which may have decoders.
 *
 * @returns how many processes were ended
 */
export async function endStrays(): Promise<number> {
  if (process.platform !== 'linux' || !(await adoptsOrphansOnly())) return 0;
  let ended = 0;
  for (const name of await readdir('/proc').catch(() => [])) {
    if (/^\d+$/.test(name) && (await isStray(Number(name))) && kill(Number(name))) ended += 1;
  }
  return ended;
}

/** Whether the process with the id 1 is this one, or no program of Node.js. */
async function adoptsOrphansOnly(): Promise<boolean> {
  if (process.pid === INIT) return true;
  const command = await textOf(INIT, 'cmdline');
  return command !== '' && !/node|image-catalog/.test(command);
}

async function isStray(pid: number): Promise<boolean> {
  if (ownDecoders.has(pid)) return false;
  const status = await textOf(pid, 'status');
  const parent = Number(/^PPid:\s*(\d+)/m.exec(status)?.[1]);
  const user = Number(/^Uid:\s*(\d+)/m.exec(status)?.[1]);
  if (parent !== INIT || !decoderUsers().includes(user)) return false;
  return /^Max open files +0 +0 /m.test(await textOf(pid, 'limits'));
}

function decoderUsers(): readonly (number | undefined)[] {
  const own = process.geteuid?.();
  return own === 0 ? [own, NOBODY] : [own];
}

/** Empty if the process has ended. */
async function textOf(pid: number, file: string): Promise<string> {
  return await readFile(`/proc/${pid}/${file}`, 'latin1').catch(() => '');
}

function kill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}
