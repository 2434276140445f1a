import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect } from 'chai';
import Koa, { type Context } from 'koa';
import { RequestError } from '../../src/adapters/http/errors/request-error.ts';
import { spaceInHeader } from '../../src/adapters/http/request/space-header.ts';

const app = new Koa();

/** As of versions of Node.js in which a header named `__proto__` breaks `headersDistinct`. */
function contextWith(space: string): Context {
  const request = new IncomingMessage(new Socket());
  request.headers = { space };
  Object.defineProperty(request, 'headersDistinct', {
    get: () => {
      throw new TypeError('dest[field].push is not a function');
    },
  });
  return app.createContext(request, new ServerResponse(request));
}

describe('The space in the header', () => {
  it('is read if the request also has a header named __proto__', () => {
    expect(spaceInHeader(contextWith('caf%C3%A9'))).to.equal('café');
  });

  it('is refused if Node.js has joined several headers, which may be empty', () => {
    for (const joined of ['a, a', ', ', 'a, ', ', a']) {
      expect(() => spaceInHeader(contextWith(joined)), joined).to.throw(RequestError, 'must be given once');
    }
  });
});
