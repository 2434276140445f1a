import { runInThisContext } from 'node:vm';
import { TOKENS } from '../../../src/infrastructure/tokens.ts';
import { intercepted } from '../doubles/intercepted.ts';
import { TestService } from '../http/test-service.ts';
import { wrapping } from '../http/wrapping.ts';
import { settled } from '../time/gate.ts';

/** Measures by CPU: a machine may be busy. */
const SOURCE = `(function planted(pieceMs) {
  const start = process.cpuUsage().user;
  const sum = () => {
    let roots = 0;
    for (let n = 0; n < 1_000_000; n += 1) roots += Math.sqrt(n);
    return roots;
  };
  while (process.cpuUsage().user - start < pieceMs * 1_000) sum();
})`;
const filename = new URL('../../../src/planted.ts', import.meta.url).href;
const planted = runInThisContext(SOURCE, { filename }) as (pieceMs: number) => void;

/** A service of which a read takes this CPU, in pieces. */
async function read(pieces: number, pieceMs: number): Promise<void> {
  const service = await TestService.start({
    modules: [
      wrapping(TOKENS.images, (images) =>
        intercepted(images, async (method, proceed) => {
          const times = method === 'findById' ? pieces : 0;
          for (let n = 0; n < times; n += 1) {
            await settled();
            // Called by the loop, and not by this test.
            await Promise.resolve(pieceMs).then(planted);
          }
          return await proceed();
        }),
      ),
    ],
  });
  await service.get('/api/image/7');
  await service.stop();
}

it('holds the loop in one piece', async () => await read(1, 300));

it('holds it in many pieces', async () => await read(20, 15));

it('holds it in the test', async () => {
  const service = await TestService.start({
    modules: [
      wrapping(TOKENS.images, (images) =>
        intercepted(images, (method, proceed) => {
          if (method === 'findById') planted(300);
          return proceed();
        }),
      ),
    ],
  });
  await service.get('/api/image/7');
  await service.stop();
});
