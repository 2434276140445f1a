import { expect } from 'chai';
import { withSignIn } from '../../../web/src/api-reference/api-document.ts';

const ENDPOINTS = {
  authorizationUrl: 'https://login.example.com/authorize',
  tokenUrl: 'https://login.example.com/token',
};
const DOCUMENT = {
  security: [{ accessToken: ['images:read'] }],
  paths: {
    '/api/images': { get: {}, post: { security: [{ accessToken: ['images:write'] }] } },
    '/': { get: { security: [] } },
  },
  components: { securitySchemes: { accessToken: { type: 'http' } } },
};

describe('the API reference', () => {
  const document = withSignIn(DOCUMENT, ENDPOINTS, ['openid', 'images:read']);

  it('offers a sign-in beside a pasted token', () => {
    expect(document.components.securitySchemes).to.have.all.keys('signIn', 'accessToken');
    expect(document.components.securitySchemes['signIn']).to.deep.include({
      flows: { authorizationCode: { ...ENDPOINTS, scopes: { openid: '', 'images:read': '' } } },
    });
  });

  it('accepts either of them with the same scopes', () => {
    expect(document.security).to.deep.equal([{ signIn: ['images:read'] }, { accessToken: ['images:read'] }]);
    expect(document.paths['/api/images']?.['post']?.security).to.deep.equal([
      { signIn: ['images:write'] },
      { accessToken: ['images:write'] },
    ]);
  });

  it('needs no sign-in where no token is needed', () => {
    expect(document.paths['/']?.['get']?.security).to.deep.equal([]);
    expect(document.paths['/api/images']?.['get']).to.deep.equal({});
  });
});
