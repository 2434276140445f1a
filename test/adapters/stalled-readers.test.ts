import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { expect } from 'chai';
import { StalledReaders } from '../../src/adapters/http/server/stalled-readers.ts';
import { ManualTime } from '../support/time/manual-time.ts';

const TIMEOUT_MS = 30_000;
const CHECK_MS = 1_000;

class FakeSocket extends EventEmitter {
  readonly _handle = { bytesWritten: 65_536, writeQueueSize: 40_000 };
  isConnected = true;

  destroy(): void {
    this.isConnected = false;
    this.emit('close');
  }
}

describe('a client that takes nothing', () => {
  let time: ManualTime;
  let server: EventEmitter;
  let socket: FakeSocket;

  beforeEach(() => {
    time = new ManualTime();
    server = new EventEmitter();
    socket = new FakeSocket();
    StalledReaders.watch(server as Server, time.after);
    server.emit('listening');
    server.emit('connection', socket);
  });

  it('is disconnected after the timeout, also if it has taken a part of the last write', () => {
    time.pass(TIMEOUT_MS);
    expect(socket.isConnected).to.equal(true);
    time.pass(CHECK_MS);
    expect(socket.isConnected).to.equal(false);
  });

  it('has the whole time again when it takes a byte', () => {
    time.pass(TIMEOUT_MS);
    socket._handle.writeQueueSize -= 1;
    time.pass(TIMEOUT_MS);
    expect(socket.isConnected).to.equal(true);
    time.pass(CHECK_MS);
    expect(socket.isConnected).to.equal(false);
  });

  it('gains no time by what the service has to send meanwhile', () => {
    time.pass(TIMEOUT_MS);
    socket._handle.bytesWritten += 1000;
    socket._handle.writeQueueSize += 1000;
    time.pass(CHECK_MS);
    expect(socket.isConnected).to.equal(false);
  });

  it('stays if there is nothing to take', () => {
    socket._handle.writeQueueSize = 0;
    time.pass(3 * TIMEOUT_MS);
    expect(socket.isConnected).to.equal(true);
  });

  it('is not looked at any more when the server has closed', () => {
    server.emit('close');
    time.pass(3 * TIMEOUT_MS);
    expect(socket.isConnected).to.equal(true);
  });
});
