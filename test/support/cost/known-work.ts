import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const HERE = fileURLToPath(import.meta.url);
const BYTES = Buffer.alloc(64 * 1024);
const RECORDS = Array.from({ length: 200 }, (_, id) => ({ id, title: `Cat ${id}`, tags: ['a', 'b'] }));
const ROUNDS = 20;

/**
 * The CPU in seconds of a piece of work that never changes: digests, JSON, and calls of the system. A virtual machine whose host is
 * busy counts up to twice as much CPU for the same work.
 */
export function knownWork(): number {
  const begun = process.cpuUsage();
  for (let round = 0; round < ROUNDS; round += 1) {
    createHash('sha256').update(BYTES).digest();
    JSON.parse(JSON.stringify(RECORDS));
    for (let calls = 0; calls < 20; calls += 1) statSync(HERE);
  }
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1e6;
}
