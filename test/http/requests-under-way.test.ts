import { expect } from 'chai';
import type { NamedRequest } from '../../src/adapters/http/telemetry/requests-under-way.ts';
import { TOKENS } from '../../src/infrastructure/tokens.ts';
import { intercepted } from '../support/doubles/intercepted.ts';
import { TestService } from '../support/http/test-service.ts';
import { startServed } from '../support/http/web-listener.ts';
import { wrapping } from '../support/http/wrapping.ts';

const WEB_URL = 'https://images.example.test/';

describe('A request under way', () => {
  let seen: readonly NamedRequest[];
  let service: TestService;

  beforeEach(() => {
    seen = [];
  });

  /** At the first call: a stop calls the port as well. */
  function note<Port extends object>(port: Port): Port {
    return intercepted(port, (_method, proceed) => {
      if (seen.length === 0) seen = service.container.get(TOKENS.telemetry).underWay.names();
      return proceed();
    });
  }

  it('has the template of its route and its id', async () => {
    service = await TestService.start({ modules: [wrapping(TOKENS.images, note)] });
    await service.get('/api/image/7').set('X-Request-Id', 'seven');
    await service.idle();
    const afterwards = service.container.get(TOKENS.telemetry).underWay.size;
    await service.stop();
    expect(seen).to.deep.equal([{ route: 'GET /api/image/:id', requestId: 'seven' }]);
    expect(afterwards).to.equal(0);
  });

  it('by a signed link does not show its MAC', async () => {
    const served = await startServed({ webUrl: WEB_URL, modules: [wrapping(TOKENS.linkKeys, note)] });
    ({ service } = served);
    const expiry = Math.floor(Date.now() / 1000) + 3600;
    await served.web.get(`/d/7/original/${expiry}/${'m'.repeat(43)}`).set('X-Request-Id', 'link');
    await served.stop();
    expect(seen).to.deep.equal([{ route: 'GET web:/d/:id/:rendition/:expiry/:mac', requestId: 'link' }]);
  });
});
