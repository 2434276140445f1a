import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect } from 'chai';
import Koa, { type Context } from 'koa';
import { redirectToStore } from '../../src/adapters/http/bytes/redirect-to-store.ts';
import type { OpenImageFile } from '../../src/application/files/open-image-file.ts';
import type { Image } from '../../src/domain/image/image.ts';

const IMAGE = { uuid: 'a', mediaType: 'image/png' } as unknown as Image;
const LINK = 'https://store.example.com/a';

const tryOffload = redirectToStore({ locate: async () => ({}) } as unknown as OpenImageFile, {
  linkTo: async () => LINK,
});

function contextWith(headers: Record<string, string>): Context {
  const request = Object.assign(new IncomingMessage(new Socket()), { headers });
  return new Koa().createContext(request, new ServerResponse(request));
}

describe('A redirect to the store', () => {
  it('is the response to a plain request', async () => {
    const ctx = contextWith({});
    expect(await tryOffload(ctx, IMAGE, undefined)).to.equal(true);
    expect([ctx.status, ctx.res.getHeader('Location')]).to.deep.equal([307, LINK]);
  });

  it('does not take the header Space, which names a customer, to the store', async () => {
    for (const space of ['acme', '']) {
      const ctx = contextWith({ space });
      expect(await tryOffload(ctx, IMAGE, undefined)).to.equal(false);
      expect(ctx.res.getHeaderNames()).to.deep.equal([]);
    }
  });
});
