import { parseConfig } from '../../../src/infrastructure/config/config.ts';
import { startService } from '../../../src/infrastructure/start/start-service.ts';
import { CapturedLog } from '../doubles/captured-log.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { jwk, rsaKey, signToken } from '../fixtures/tokens.ts';
import { publish, SigningKeyServer } from '../servers/signing-key-server.ts';
import { ExecutedFunctions } from './executed-functions.ts';
import { MEASURED_REQUESTS } from './measured-requests.ts';
import { RequestClient } from './request-client.ts';

const AUDIENCE = 'images';
const REPEATS = 15;
const KEY = rsaKey('house');

/** The functions that run in the service's process for one request of each kind. */
export async function runRequests(): Promise<ReadonlyMap<string, readonly string[]>> {
  const provider = await SigningKeyServer.start(publish([jwk(KEY)]));
  const folder = await temporaryFolder();
  const log = new CapturedLog();
  const service = await startService(configured(provider.domain, folder.path), log.logger);
  await log.entry(({ msg }) => msg === 'swept');
  await log.entry(({ msg }) => msg === 'swept blobs');
  const { port } = await log.entry(({ msg }) => msg === 'listening');
  const exp = Math.floor(Date.now() / 1000) + 3600;
  const token = signToken({ iss: provider.domain, aud: AUDIENCE, sub: 'alice', exp }, KEY);
  const client = new RequestClient(`http://127.0.0.1:${String(port)}`, token, log);
  const coverage = await ExecutedFunctions.start();
  const functions = new Map<string, readonly string[]>();
  for (const [name, prepare] of Object.entries(MEASURED_REQUESTS)) {
    functions.set(name, await runInEach(await prepare(client), coverage));
  }
  await service.stop();
  await provider.stop();
  await folder.remove();
  return functions;
}

/** Renders nothing ahead: that is no part of an upload. */
function configured(domain: string, path: string): ReturnType<typeof parseConfig> {
  return parseConfig({
    IDP_DOMAIN: domain,
    IDP_AUDIENCE: AUDIENCE,
    HOST: '127.0.0.1',
    PORT: '0',
    DATABASE_URL: `sqlite:${path}/catalog.sqlite`,
    BLOB_STORE_URL: `file:${path}/blobs`,
    PRERENDER: '',
  });
}

/** What runs in each of several requests: a timer of the service may fire during one of them. */
async function runInEach(send: () => Promise<void>, coverage: ExecutedFunctions): Promise<readonly string[]> {
  await send();
  await coverage.take();
  await send();
  let common = [...(await coverage.take())];
  for (let repeat = 1; repeat < REPEATS; repeat += 1) {
    await send();
    const executed = await coverage.take();
    common = common.filter((one) => executed.has(one));
  }
  return common.toSorted();
}
