import { expect } from 'chai';
import {
  certificateAdvice,
  connectionAdvice,
  SSLROOTCERT,
} from '../../src/infrastructure/config/connection-advice.ts';

describe('The advice about a connection that failed', () => {
  for (const [failure, advice] of [
    ['unable to verify the first certificate', /^NODE_EXTRA_CA_CERTS=/],
    ['self-signed certificate in certificate chain', /^NODE_EXTRA_CA_CERTS=/],
    ['unable to get local issuer certificate', /^NODE_EXTRA_CA_CERTS=/],
    ['certificate has expired', /^renew/],
    ["Hostname/IP does not match certificate's altnames", /^use the host name/],
    ['getaddrinfo EAI_AGAIN id.example.com', /HTTPS_PROXY/],
  ] as const) {
    it(`names the way out of "${failure}"`, () => {
      expect(connectionAdvice(failure)).to.match(advice);
    });
  }

  it('names sslrootcert for Postgres, and nothing for another reason', () => {
    expect(certificateAdvice('self-signed certificate', SSLROOTCERT)).to.match(/sslrootcert/);
    expect(connectionAdvice('it responds with 404')).to.equal(undefined);
  });
});
