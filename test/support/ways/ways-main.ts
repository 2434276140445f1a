import { parseArgs } from 'node:util';
import { parseConfig } from '../../../src/infrastructure/config/config.ts';
import { startService } from '../../../src/infrastructure/start/start-service.ts';
import { CapturedLog } from '../doubles/captured-log.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { jwk, rsaKey, signToken } from '../fixtures/tokens.ts';
import { publish, SigningKeyServer } from '../servers/signing-key-server.ts';
import { Coverage } from './coverage.ts';
import { WayClient } from './way-client.ts';
import { WAYS, type Way } from './ways.ts';

/** Prints the source files that run in the service's process for one request of each kind. Exits with 1 above a goal. */

const AUDIENCE = 'images';
const REQUESTS = 3;
const KEY = rsaKey('ways');
const { values } = parseArgs({ options: { files: { type: 'boolean', default: false } } });

const provider = await SigningKeyServer.start(publish([jwk(KEY)]));
const folder = await temporaryFolder();
const log = new CapturedLog();
const service = await startService(configured(folder.path), log.logger);
await log.entry(({ msg }) => msg === 'swept');
const { port } = await log.entry(({ msg }) => msg === 'listening');
const exp = Math.floor(Date.now() / 1000) + 3600;
const token = signToken({ iss: provider.domain, aud: AUDIENCE, sub: 'alice', exp }, KEY);
const client = new WayClient(`http://127.0.0.1:${String(port)}`, token, log);
const coverage = await Coverage.start();

for (const way of WAYS) {
  const files = await filesOf(way);
  const isMissed = files.length > way.goal;
  if (isMissed) process.exitCode = 1;
  console.log(
    `${way.name.padEnd(16)} ${String(files.length).padStart(3)} files, goal ${way.goal}${isMissed ? ' MISSED' : ''}`,
  );
  if (values.files) for (const file of files) console.log(`  ${file}`);
}

await service.stop();
await provider.stop();
await folder.remove();

/** Prerenders nothing: it is no part of an upload. */
function configured(path: string): ReturnType<typeof parseConfig> {
  return parseConfig({
    IDP_DOMAIN: provider.domain,
    IDP_AUDIENCE: AUDIENCE,
    HOST: '127.0.0.1',
    PORT: '0',
    DATABASE_URL: `sqlite:${path}/catalog.sqlite`,
    BLOB_STORE_URL: `file:${path}/blobs`,
    PRERENDER: '',
  });
}

/** Those that run in each of several requests: a timer of the service may fire during one of them. */
async function filesOf(way: Way): Promise<readonly string[]> {
  const send = await way.prepare(client);
  await send();
  await coverage.take();
  let files: readonly string[] | undefined;
  for (let request = 0; request < REQUESTS; request += 1) {
    await send();
    const executed = new Set(await coverage.take());
    files = [...executed].filter((file) => files?.includes(file) ?? true);
  }
  return files ?? [];
}
