import { expect } from 'chai';
import { ApiAddress } from '../../src/infrastructure/api-address.ts';

function addressOn(host: string, port: number, apiUrl?: string): ApiAddress {
  return new ApiAddress({ listener: { host, port }, apiUrl });
}

describe('ApiAddress', () => {
  for (const [host, url] of [
    ['0.0.0.0', 'http://localhost:3000/'],
    ['::', 'http://localhost:3000/'],
    ['127.0.0.1', 'http://127.0.0.1:3000/'],
    ['::1', 'http://[::1]:3000/'],
    ['images.example.com', 'http://images.example.com:3000/'],
  ] as const) {
    it(`is ${url} on ${host}`, () => {
      expect(addressOn(host, 3000).url).to.equal(url);
    });
  }

  it('is API_URL if it is set, whatever the listener', () => {
    const address = addressOn('0.0.0.0', 3000, 'https://images.example.com/');
    address.listensOn(4000);
    expect(address.url).to.equal('https://images.example.com/');
  });

  it('has the port that the system selects for PORT=0', () => {
    const address = addressOn('127.0.0.1', 0);
    expect(() => address.url).to.throw(TypeError);
    address.listensOn(45_678);
    expect(address.url).to.equal('http://127.0.0.1:45678/');
  });
});
