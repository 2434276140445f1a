import { expect } from 'chai';
import { Notices } from '../../../web/src/notices/notices.ts';
import type { WebConfig } from '../../../web/src/session/web-config.ts';
import { watchConnection } from '../../../web/src/states/watch-connection.ts';
import type { Trouble } from '../../../web/src/trouble/trouble.ts';
import { settled } from '../../support/time/gate.ts';

const REPLACED = ['window', 'navigator', 'fetch'] as const;

describe('a device that goes offline', () => {
  const before = REPLACED.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);
  let page: EventTarget;
  let device: { onLine: boolean };
  let trouble: Trouble;
  let failRequest: () => void;

  beforeEach(() => {
    page = new EventTarget();
    device = { onLine: true };
    const fetch = (): Promise<never> =>
      new Promise((_resolve, reject) => {
        failRequest = () => reject(new TypeError('no network'));
      });
    const values = { window: page, navigator: device, fetch };
    for (const name of REPLACED) {
      Object.defineProperty(globalThis, name, { value: values[name], configurable: true, writable: true });
    }
    trouble = watchConnection({ apiUrl: 'http://service.test/' } as WebConfig, new Notices());
  });

  afterEach(() => {
    for (const [name, descriptor] of before) {
      if (descriptor === undefined) Reflect.deleteProperty(globalThis, name);
      else Object.defineProperty(globalThis, name, descriptor);
    }
  });

  function become(state: 'online' | 'offline'): void {
    device.onLine = state === 'online';
    page.dispatchEvent(new Event(state));
  }

  it('is said to be offline if the service cannot be reached', async () => {
    become('offline');
    failRequest();
    await settled();

    expect(trouble.outage.get()?.kind).to.equal('offline');
  });

  it('is not said to be offline if it is online before that is known, as after a sleep: nothing would end it', async () => {
    become('offline');
    become('online');
    failRequest();
    await settled();

    expect(trouble.outage.get()).to.equal(undefined);
  });
});
