import SwaggerUIBundle, { type UiRequest } from 'swagger-ui-dist/swagger-ui-bundle.js';
import type { WebConfig } from '../session/web-config.ts';
import { type ApiDocument, type SignInEndpoints, withSignIn } from './api-document.ts';
import 'swagger-ui-dist/swagger-ui.css';
import './reference.css';

followColorScheme(matchMedia('(prefers-color-scheme: dark)'));

const [config, document_] = await Promise.all([
  fetchJson<WebConfig>('../config.json'),
  fetchJson<ApiDocument>('../openapi.json'),
]);
const scopes = config.scope.split(' ');
const endpoints = config.clientId === null ? undefined : await discover(config.issuer);
const reference = SwaggerUIBundle({
  domNode: requireElement('reference'),
  spec: endpoints === undefined ? document_ : withSignIn(document_, endpoints, scopes),
  deepLinking: true,
  displayRequestDuration: true,
  filter: true,
  oauth2RedirectUrl: new URL('oauth2-redirect.html', location.href).href,
  requestInterceptor: nameResource,
  // It would send the description to another host.
  validatorUrl: null,
});
if (config.clientId !== null) {
  reference.initOAuth({
    clientId: config.clientId,
    scopes,
    usePkceWithAuthorizationCodeGrant: true,
    additionalQueryStringParams: {
      audience: config.audience,
      ...(config.resource !== null && { resource: config.resource }),
    },
  });
}

/** RFC 8707, section 2.2: the form of a token request names the resource. Swagger UI writes it into the query, where it would stand twice. */
function nameResource(request: UiRequest): UiRequest {
  const { url, body } = request;
  const { resource } = config;
  if (resource === null || endpoints === undefined || typeof body !== 'string') return request;
  const address = new URL(url);
  address.searchParams.delete('resource');
  if (address.href.split('?')[0] !== endpoints.tokenUrl.split('?')[0]) return request;
  return { ...request, url: address.href, body: `${body}&${new URLSearchParams({ resource }).toString()}` };
}

/** Swagger UI knows no media query. */
function followColorScheme(dark: MediaQueryList): void {
  const apply = (): boolean => document.documentElement.classList.toggle('dark-mode', dark.matches);
  dark.addEventListener('change', apply);
  apply();
}

/** `undefined` if the identity provider is unavailable: the reference is of use without a sign-in. */
async function discover(issuer: string): Promise<SignInEndpoints | undefined> {
  try {
    const { authorization_endpoint: authorizationUrl, token_endpoint: tokenUrl } = await fetchJson<{
      readonly authorization_endpoint: string;
      readonly token_endpoint: string;
    }>(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
    return { authorizationUrl, tokenUrl };
  } catch {
    return undefined;
  }
}

async function fetchJson<T>(address: string): Promise<T> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return (await response.json()) as T;
}

function requireElement(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new TypeError(`The page has no #${id}`);
  return element;
}
