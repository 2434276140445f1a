import { expect } from 'chai';
import { stopGracefully } from '../../src/infrastructure/start/stop-gracefully.ts';
import { FORM_TYPE, filePart, multipart } from '../support/fixtures/multipart.ts';
import { pngPicture } from '../support/fixtures/pictures.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { RawConnection, requestHead } from '../support/http/raw-connection.ts';
import { TestService } from '../support/http/test-service.ts';
import { VirtualTimers } from '../support/time/virtual-timers.ts';

const LONG = 60_000;

describe('stopGracefully', () => {
  let service: TestService;
  let form: Buffer;

  beforeEach(async () => {
    service = await TestService.start();
    form = multipart([filePart(await pngPicture())]);
  });

  afterEach(async () => {
    await service.stop();
  });

  /** An upload that the service has started to process, with an incomplete body. */
  async function uploadUnderWay(): Promise<RawConnection> {
    const connection = await service.connect();
    connection.send(
      requestHead('POST', '/api/upload', {
        Authorization: service.bearer,
        'Content-Type': FORM_TYPE,
        'Content-Length': form.length,
        Expect: '100-continue',
      }),
    );
    await connection.response();
    return connection;
  }

  it('resolves at once without connections', async () => {
    await stopGracefully(service.server, LONG);
    expect(service.server.listening).to.equal(false);
  });

  it('accepts no new connections', async () => {
    const { port } = service;
    await stopGracefully(service.server, LONG);
    const error = await rejection(RawConnection.open(port));
    expect(error).to.include({ code: 'ECONNREFUSED' });
  });

  it('closes idle keep-alive connections', async () => {
    const connection = await service.connect();
    connection.send(requestHead('GET', '/'));
    await connection.response();
    await stopGracefully(service.server, LONG);
    await connection.closed;
    expect(connection.pending).to.equal('');
  });

  it('completes a running request, then closes its connection', async () => {
    const connection = await uploadUnderWay();
    const stopped = stopGracefully(service.server, LONG);
    connection.send(form);
    const { status } = await connection.response();
    await Promise.all([stopped, connection.closed]);
    expect(status).to.equal(201);
    expect(await service.records()).to.equal(1);
  });

  it('sends Connection: close to a client that sends another request', async () => {
    const connection = await uploadUnderWay();
    const stopped = stopGracefully(service.server, LONG);
    connection.send(Buffer.concat([form, Buffer.from(requestHead('GET', '/'))]));
    await connection.response();
    const next = await connection.response();
    await Promise.all([stopped, connection.closed]);
    expect([next.status, next.headers.connection]).to.deep.equal([200, 'close']);
  });

  it('aborts a stuck request after the grace, without orphaned files', async () => {
    const connection = await uploadUnderWay();
    connection.send(form.subarray(0, form.length / 2));
    const time = new VirtualTimers();
    const stopped = time.use(() => stopGracefully(service.server, LONG));
    time.pass(LONG);
    await Promise.all([stopped, connection.closed]);
    expect(connection.pending).to.equal('');
    expect(await service.leftovers()).to.deep.equal([]);
    expect(await service.records()).to.equal(0);
  });

  it('does not abort a request before the grace is over', async () => {
    const connection = await uploadUnderWay();
    const time = new VirtualTimers();
    const stopped = time.use(() => stopGracefully(service.server, LONG));
    time.pass(LONG - 1);
    connection.send(form);
    const { status } = await connection.response();
    await Promise.all([stopped, connection.closed]);
    expect(status).to.equal(201);
  });
});
