import { expect } from 'chai';
import type { Context } from 'koa';
import { serveCurrentImage } from '../../src/adapters/http/bytes/serve-current-image.ts';
import { settled } from '../support/time/gate.ts';

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
    await serveCurrentImage(CTX, { find, serve: () => settled() });
    expect(finds).to.equal(2);
  });

  it('looks once if it has not', async () => {
    await serveCurrentImage(CTX, { find, serve: async () => {} });
    expect(finds).to.equal(1);
  });
});
