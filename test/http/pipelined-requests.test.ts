import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import type { ImageSearch } from '../../src/domain/ports/records/image-search.ts';
import type { InSpaces } from '../../src/domain/ports/records/in-spaces.ts';
import { TOKENS } from '../../src/infrastructure/tokens.ts';
import { requestHead } from '../support/http/raw-connection.ts';
import { TestService } from '../support/http/test-service.ts';
import { wrapping } from '../support/http/wrapping.ts';
import { eventually } from '../support/time/eventually.ts';
import { Gate } from '../support/time/gate.ts';

const REQUESTS = 20;
const GREETING = requestHead('GET', '/');

describe('Requests of one connection that do not wait for its responses', () => {
  let service: TestService;
  let socket: Socket;
  let received: string;
  let arrived: number;
  let begun = 0;
  let gate: Gate;

  function held(search: InSpaces<ImageSearch>): InSpaces<ImageSearch> {
    return {
      in: (space) => {
        begun += 1;
        const inSpace = search.in(space);
        const findPage: ImageSearch['findPage'] = async (...query) => {
          await gate.opened;
          return await inSpace.findPage(...query);
        };
        return Object.assign(Object.create(inSpace) as ImageSearch, { findPage });
      },
    };
  }

  async function send(): Promise<void> {
    const page = requestHead('GET', '/api/images?limit=1', { Authorization: service.bearer });
    socket.write(page.repeat(REQUESTS) + GREETING);
    await eventually(
      () => [arrived, begun],
      ([requests, some]) => requests === REQUESTS + 1 && some === 1,
    );
  }

  beforeEach(async () => {
    [arrived, begun, received, gate] = [0, 0, '', new Gate()];
    service = await TestService.start({ modules: [wrapping(TOKENS.search, held)] });
    service.server.on('request', () => {
      arrived += 1;
    });
    socket = connect({ port: service.port, host: '127.0.0.1' });
    socket.setEncoding('latin1').on('error', () => {});
    socket.on('data', (text: string) => {
      received += text;
    });
    await once(socket, 'connect');
  });

  afterEach(async () => {
    gate.open();
    socket.destroy();
    await service.stop();
  });

  it('begin one after the other: only one response is held for a client that reads none', async () => {
    await send();
    expect([arrived, service.runningRequests, begun]).to.deep.equal([REQUESTS + 1, 1, 1]);

    gate.open();

    await eventually(
      () => received,
      (text) => text.includes('text/plain'),
    );
    expect(received.match(/HTTP\/1\.1 200 OK/g)).to.have.length(REQUESTS + 1);
    expect(begun).to.equal(REQUESTS);
  });

  it('never begin if the connection is gone by then', async () => {
    await send();
    socket.destroy();
    await eventually(() => service.log.entries.some(({ msg }) => msg === 'client left'), Boolean);
    gate.open();
    await service.idle();

    expect(begun).to.equal(1);
    expect(service.container.get(TOKENS.telemetry).underWay.size).to.equal(0);
  });

  it('are at most 256: a client that sends more behind a response that takes long is disconnected', async () => {
    await send();
    const closed = once(socket, 'close');
    socket.write(GREETING.repeat(256 - REQUESTS));
    await closed;
    gate.open();
    await service.idle();

    expect(begun).to.equal(1);
  });

  it('never begin behind a response that closes the connection', async () => {
    service.server.prependListener('request', (_, response: ServerResponse) => {
      response.setHeader('Connection', 'close');
    });
    await send();
    const closed = once(socket, 'close');
    gate.open();
    await closed;
    await service.idle();

    expect(begun).to.equal(1);
  });
});
