import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import type { Context } from 'koa';
import { serveCurrentImage } from '../../src/adapters/http/bytes/serve-current-image.ts';

const CTX = { res: { getHeaders: () => ({}) } } as unknown as Context;

let finds: number;

async function find(): Promise<{ readonly imageId: number }> {
  finds += 1;
  return { imageId: 1 };
}

describe('serveCurrentImage', () => {
  beforeEach(() => {
    finds = 0;
  });

  it('looks again if the event loop has turned since it looked', async () => {
    await serveCurrentImage(CTX, { find, serve: () => nextTurn() });
    expect(finds).to.equal(2);
  });

  it('looks once if it has not', async () => {
    await serveCurrentImage(CTX, { find, serve: async () => {} });
    expect(finds).to.equal(1);
  });
});
