import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { type FuzzReport, RSS_GROWTH_BYTES, runFuzz } from './run-fuzz.ts';

/**
 * node --import tsx test/fuzz/fuzz.ts --requests 100000 --seed 1
 *
 * Needs the built service. The same seed gives the same requests.
 */
const { values } = parseArgs({
  options: { requests: { type: 'string', default: '100000' }, seed: { type: 'string' } },
});
const requests = Number(values.requests);
const seed = Number(values.seed ?? randomInt(2 ** 24));
const MIB = 1024 * 1024;

console.log(`${requests} requests, --seed ${seed}`);
const start = performance.now();
const report = await runFuzz({ requests, seed, onProgress: showProgress });
const seconds = (performance.now() - start) / 1000;
print(report);
process.exitCode = isClean(report) ? 0 : 1;

function showProgress(done: number): void {
  if (done % Math.ceil(requests / 20) === 0) console.log(`  ${done} after ${elapsed()}`);
}

function elapsed(): string {
  return `${Math.round((performance.now() - start) / 1000)} s`;
}

function print({ outcomes, failures, errorsLogged, orphans, stderr, rss, openFiles }: FuzzReport): void {
  const statuses = [...outcomes].toSorted(([a], [b]) => String(a).localeCompare(String(b)));
  console.log(`${requests} requests in ${seconds.toFixed(0)} s: ${Math.round(requests / seconds)} a second`);
  console.log(`responses: ${statuses.map(([status, count]) => `${status} × ${count}`).join(', ')}`);
  console.log(`RSS: ${mib(rss.warm)} after warm-up, ${mib(rss.end)} at the end`);
  console.log(`  by tenth of the requests: ${rss.byTenth.map(mib).join(', ')}`);
  console.log(`open files: ${openFiles.before} before, ${openFiles.after} after`);
  console.log(
    `orphaned files: ${orphans.length}, errors logged: ${errorsLogged.length}, failures: ${failures.length}`,
  );
  for (const failure of failures) console.log(`FAILURE ${failure}`);
  for (const orphan of orphans.slice(0, 20)) console.log(`ORPHANED ${orphan}`);
  for (const error of errorsLogged.slice(0, 5)) console.log(`LOGGED ${JSON.stringify(error)}`);
  if (stderr !== '') console.log(`STDERR ${stderr.slice(0, 5000)}`);
}

function mib(bytes: number): string {
  return `${(bytes / MIB).toFixed(1)} MiB`;
}

function isClean({ failures, errorsLogged, orphans, stderr, rss, openFiles }: FuzzReport): boolean {
  return (
    [failures, errorsLogged, orphans].every((list) => list.length === 0) &&
    stderr === '' &&
    rss.end - rss.warm < RSS_GROWTH_BYTES &&
    openFiles.after <= openFiles.before
  );
}
