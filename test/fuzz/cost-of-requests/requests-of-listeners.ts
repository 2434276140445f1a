import { FORM_TYPE, filePart, multipart } from '../../support/fixtures/multipart.ts';
import { tinyPng } from '../../support/fixtures/tiny-pictures.ts';
import {
  get,
  type HostileRequest,
  type Ingredients,
  LONG_PARAMETER,
  type SentRequest,
} from './hostile-request.ts';
import type { SignedPaths } from './signed-paths.ts';

export const WEB_ASSET = '/assets/index-0123456789.js';

/** The requests of each route of the web listener and the management listener, by the name of the route. */
export const REQUESTS_OF_LISTENERS: Readonly<Record<string, readonly HostileRequest[]>> = {
  'web:/d/:id/:rendition/:expiry/:mac': [
    signed('a link to an original of many parts', 'original'),
    signed('a link to a clean original of many parts', 'clean'),
    signed('a link to a rendition', 'rendition'),
  ],
  'web:/n/:number/:name/:rendition/:expiry/:mac': [signed('a link to a name', 'named')],
  'web:/p/:number/:name': [
    signed('a public name, as a rendition', 'public'),
    web('a long unknown parameter', ({ signedPaths }) => get(`${signedPaths.public}?${LONG_PARAMETER}`)),
  ],
  'web:/s/:payload/:expiry/:mac': [signed('a page to share', 'page')],
  'web:/u/:ticket': [
    web('the upload of a ticket, again and again', ({ signedPaths }) => uploadTo(signedPaths.ticket)),
    web('an upload without a ticket', () => uploadTo('/u/none')),
  ],
  'web:/config.json': [web('the settings', () => get('/config.json'))],
  'web:/openapi.json': [web('the document', () => get('/openapi.json'))],
  'web:/': [web('the gallery', () => get('/'))],
  'web:/*': [web('a script', () => get(WEB_ASSET))],
  'management:/livez': [management('alive', '/livez')],
  'management:/readyz': [management('ready', '/readyz')],
  'management:/metrics': [management('all metrics', '/metrics')],
  'management:/openapi.json': [management('the document', '/openapi.json')],
};

function web(what: string, make: (ingredients: Ingredients) => SentRequest): HostileRequest {
  return { what, listener: 'web', space: 'neighbour', make };
}

function signed(what: string, name: keyof SignedPaths): HostileRequest {
  return web(what, ({ signedPaths }) => get(signedPaths[name]));
}

function management(what: string, path: string): HostileRequest {
  return { what, listener: 'management', space: 'neighbour', make: () => get(path) };
}

function uploadTo(path: string): SentRequest {
  const body = multipart([filePart(tinyPng(3), 'ticket.png')]);
  return { method: 'POST', path, headers: { 'content-type': FORM_TYPE }, body };
}
