import { statfs } from 'node:fs/promises';
import type { DatabaseLocation } from '../../adapters/sql/database/database-location.ts';
import { type CheckResult, messageOf, ok, problem, warning } from './check-result.ts';
import { nearestExisting } from './nearest-existing.ts';

/** `f_type` of statfs(2) on Linux: file systems of other machines, and those that a program serves. */
const DISTANT: Readonly<Record<number, string>> = {
  0x6969: 'NFS',
  0x517b: 'SMB',
  0xfe534d42: 'SMB',
  0xff534d42: 'SMB',
  0x65735546: 'FUSE',
  0x01021997: '9P',
  0x00c36400: 'Ceph',
  0x0bd00bd0: 'Lustre',
  0x5346414f: 'AFS',
  0x786f4256: 'VirtualBox',
};

const CHANGE =
  'keep the database on a local disk (only the pictures may be elsewhere), or use Postgres for the records';

/** Tries the folder of the database, or the nearest one above it that exists, and leaves nothing there. */
export async function checkDatabaseFolder(database: DatabaseLocation): Promise<readonly CheckResult[]> {
  if (database.folder === undefined) return [];
  const folder = nearestExisting(database.folder);
  try {
    await database.tryIn(folder);
  } catch (error) {
    return [problem(`DATABASE_URL: a database in ${folder} would fail: ${messageOf(error)}`, CHANGE)];
  }
  const { type } = await statfs(folder);
  return [
    ok(`DATABASE_URL: a database was made, written and removed in ${folder}`),
    ...distance(folder, type),
  ];
}

function distance(folder: string, type: number): readonly CheckResult[] {
  const name = distantFileSystem(type);
  if (name === undefined) return [];
  const text = `DATABASE_URL: ${folder} is on ${name}. A catalog in SQLite can be damaged there if the file system loses locks or its connection, or if two machines use it`;
  return [warning(text, CHANGE)];
}

/** @param type as `statfs` has it, which is negative for some on machines of 32 bits */
export function distantFileSystem(type: number): string | undefined {
  return process.platform === 'linux' ? DISTANT[type >>> 0] : undefined;
}
