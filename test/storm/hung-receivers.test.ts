import { randomInt } from 'node:crypto';
import { expect } from 'chai';
import { noisyPng } from '../support/fixtures/pictures.ts';
import { randomNumbers } from '../support/fixtures/random-numbers.ts';
import { FULL_STORMS } from '../support/full-storms.ts';
import { uploadedId } from '../support/http/catalog-client.ts';
import { ScriptedServer } from '../support/servers/scripted-server.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import type { RunningService } from '../support/servers/service-process.ts';
import { WEBHOOK_SECRET } from '../support/servers/webhook-inbox.ts';
import { eventually } from '../support/time/eventually.ts';
import { LONG_TEST_MS } from '../support/time/hang-guard.ts';

const ROUNDS = FULL_STORMS ? 30 : 4;
const RECEIVERS = 3;
const UPLOADS_A_ROUND = 3;
const HANGS = 0.4;

describe('the built service, in a storm of SIGTERM beside receivers that hang', function () {
  this.timeout(LONG_TEST_MS);

  const seed = Number(process.env.STORM_SEED ?? randomInt(2 ** 32));
  let folder: ServiceFolder;
  let receivers: readonly ScriptedServer[];
  let isStorm: boolean;

  before(async () => {
    const random = randomNumbers(seed);
    isStorm = true;
    folder = await ServiceFolder.open();
    receivers = await Promise.all(
      Array.from({ length: RECEIVERS }, () =>
        ScriptedServer.start((response) => {
          if (!isStorm || random() >= HANGS) response.writeHead(204).end();
          // Delivered, but the response never ends.
          else if (random() < 0.5) response.writeHead(204).flushHeaders();
        }),
      ),
    );
  });

  after(async () => {
    await folder?.close();
    await Promise.all(receivers.map((receiver) => receiver.stop()));
  });

  async function start(): Promise<RunningService> {
    return await folder.start({
      WEBHOOK_URLS: receivers.map(({ url }) => `${url}/`).join(','),
      WEBHOOK_SECRETS: WEBHOOK_SECRET,
      SHUTDOWN_GRACE_SECONDS: '3',
    });
  }

  it('ends with 0 each time, and every receiver gets every change in order', async () => {
    console.log(`      STORM_SEED=${seed}`);
    const picture = new Uint8Array(await noisyPng(8, 8));
    const services = [await start(), await start()];
    const ids: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      for (let upload = 0; upload < UPLOADS_A_ROUND; upload += 1) {
        const client = folder.client(services[upload % services.length] as RunningService);
        ids.push(uploadedId(await client.upload(picture, 'a.png')));
      }
      const stopped = services.shift() as RunningService;
      expect(await stopped.process.stop(), `round ${round}`).to.deep.equal({ code: 0, signal: null });
      services.push(await start());
    }
    isStorm = false;
    for (const receiver of receivers) {
      await eventually(
        () => receivedBy(receiver),
        ({ size }) => size === ids.length,
      );
      expect([...receivedBy(receiver)]).to.deep.equal(ids);
    }
  });
});

/** The ids of images in the order of their first messages. */
function receivedBy({ seen }: ScriptedServer): ReadonlySet<number> {
  return new Set(seen.map(({ body }) => (JSON.parse(body.toString()) as { data: { id: number } }).data.id));
}
