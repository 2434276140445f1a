import { expect } from 'chai';
import { CatalogError, networkError } from '../../client/src/catalog-error.ts';
import {
  explainCatalogError,
  isCertificateError,
} from '../../src/infrastructure/commands/explain-catalog-error.ts';

function failedFetch(message: string, code: string): ReturnType<typeof networkError> {
  const cause = Object.assign(new Error(message), { code });
  return networkError(new TypeError('fetch failed', { cause }));
}

describe('The explanation of a service that cannot be reached', () => {
  for (const [message, code, explanation, isFinal] of [
    [
      'self-signed certificate',
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      /: self-signed certificate: NODE_EXTRA_CA_CERTS=/,
      true,
    ],
    ['certificate has expired', 'CERT_HAS_EXPIRED', /: renew the certificate/, true],
    ['getaddrinfo EAI_AGAIN images.example', 'EAI_AGAIN', /HTTPS_PROXY and NODE_USE_ENV_PROXY=1/, false],
    ['', 'ECONNREFUSED', /: ECONNREFUSED: check the host name/, false],
    ['read ECONNRESET', 'ECONNRESET', /: read ECONNRESET$/, false],
  ] as const) {
    it(`names ${code} and what to do`, () => {
      const error = failedFetch(message, code);

      expect(explainCatalogError(error)).to.match(/^The service cannot be reached \(network_error\): /);
      expect(explainCatalogError(error)).to.match(explanation);
      expect(isCertificateError(error)).to.equal(isFinal);
    });
  }
});

describe('The explanation of a token that the service refuses', () => {
  for (const [message, names] of [
    ['jwt malformed', true],
    ['jwt audience invalid. expected: images', true],
    ['jwt expired', false],
  ] as const) {
    it(`${names ? 'names' : 'does not name'} the variables of the audience for "${message}"`, () => {
      const text = explainCatalogError(new CatalogError(message, { code: 'invalid_token', status: 401 }));

      expect(text.startsWith(`${message} (invalid_token)`)).to.equal(true);
      expect(text.includes('CATALOG_AUDIENCE or CATALOG_RESOURCE')).to.equal(names);
    });
  }
});
