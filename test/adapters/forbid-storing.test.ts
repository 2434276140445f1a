import { createServer, type Server } from 'node:http';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import Koa from 'koa';
import request from 'supertest';
import { separateSpacesInCaches } from '../../src/adapters/http/middleware/separate-spaces-in-caches.ts';
import { sendReply } from '../../src/adapters/http/response/send-reply.ts';
import { closeServer, listenOnLoopback } from '../support/servers/loopback.ts';

const BODIES: ReadonlyArray<readonly [what: string, make: () => unknown]> = [
  ['JSON', () => ({})],
  ['a stream of JSON', () => Readable.from(['[', ']'])],
];

describe('JSON that caches may store', () => {
  let server: Server;

  afterEach(() => closeServer(server));

  for (const [what, make] of BODIES) {
    for (const coding of ['identity', 'gzip']) {
      it(`is not stored with the header Space: ${what}, ${coding}`, async () => {
        const app = new Koa().use(separateSpacesInCaches(true));
        app.use(async (ctx) => await sendReply(ctx, { status: 200, body: make() }, 'private, max-age=60'));
        const handle = app.callback();
        server = createServer((incoming, response) => void handle(incoming, response));
        await listenOnLoopback(server);
        const ask = (): request.Test => request(server).get('/').set('Accept-Encoding', coding);
        expect((await ask()).headers['cache-control']).to.equal('private, max-age=60');
        expect((await ask().set('Space', 'acme')).headers).to.include({
          'cache-control': 'no-store',
          vary: what === 'JSON' ? 'Space' : 'Space, Accept-Encoding',
        });
      });
    }
  }
});
