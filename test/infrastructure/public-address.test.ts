import { expect } from 'chai';
import { PublicAddress } from '../../src/infrastructure/start/public-address.ts';

const LISTENER = { host: '0.0.0.0', port: 3000 };

describe('PublicAddress', () => {
  for (const [host, url] of [
    ['0.0.0.0', 'http://localhost:3000/'],
    ['::', 'http://localhost:3000/'],
    ['127.0.0.1', 'http://127.0.0.1:3000/'],
    ['::1', 'http://[::1]:3000/'],
    ['images.example.com', 'http://images.example.com:3000/'],
  ] as const) {
    it(`is ${url} on ${host}`, () => {
      expect(new PublicAddress(undefined, { host, port: 3000 }).url).to.equal(url);
    });
  }

  it('is the configured URL, whatever the listener', () => {
    const address = new PublicAddress('https://images.example.com/', LISTENER);
    address.listensOn(4000);
    expect(address.url).to.equal('https://images.example.com/');
  });

  it('has the port that the system selects for port 0', () => {
    const address = new PublicAddress(undefined, { host: '127.0.0.1', port: 0 });
    expect(() => address.url).to.throw(TypeError);
    address.listensOn(45_678);
    expect(address.url).to.equal('http://127.0.0.1:45678/');
  });

  it('exists if there is a URL or a listener', () => {
    expect(new PublicAddress(undefined, LISTENER).exists).to.equal(true);
    expect(new PublicAddress('https://images.example.com/', undefined).exists).to.equal(true);
    expect(new PublicAddress(undefined, undefined).exists).to.equal(false);
  });

  it('throws without a URL and a listener', () => {
    expect(() => new PublicAddress(undefined, undefined).url).to.throw(TypeError);
  });
});
