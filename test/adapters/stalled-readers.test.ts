import { expect } from 'chai';
import { StalledReaders } from '../../src/adapters/http/server/create-server.ts';

const CHECKS = 30;

describe('a client that reads nothing', () => {
  let handle: { bytesWritten: number; writeQueueSize: number };
  let isConnected: boolean;
  let readers: StalledReaders;

  beforeEach(() => {
    handle = { bytesWritten: 65_536, writeQueueSize: 40_000 };
    isConnected = true;
    readers = new StalledReaders();
    const socket = {
      _handle: handle,
      destroy: () => {
        isConnected = false;
        return socket as never;
      },
    };
    readers.add(socket);
  });

  function check(times: number): void {
    for (let time = 0; time < times; time += 1) readers.check();
  }

  it('is disconnected after the timeout, also if it has taken a part of the last write', () => {
    check(CHECKS);
    expect(isConnected).to.equal(true);
    check(1);
    expect(isConnected).to.equal(false);
  });

  it('starts again when it takes a byte', () => {
    check(CHECKS);
    handle.writeQueueSize -= 1;
    check(CHECKS);
    expect(isConnected).to.equal(true);
    check(1);
    expect(isConnected).to.equal(false);
  });

  it('gains no time by what the service has to send meanwhile', () => {
    check(CHECKS);
    handle.bytesWritten += 1000;
    handle.writeQueueSize += 1000;
    check(1);
    expect(isConnected).to.equal(false);
  });

  it('stays if there is nothing to read', () => {
    handle.writeQueueSize = 0;
    check(3 * CHECKS);
    expect(isConnected).to.equal(true);
  });
});
