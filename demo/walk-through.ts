import type { DemoClient } from './demo-client.ts';

export interface WalkThrough {
  /** Where the service answers, with a trailing slash. */
  readonly serviceUrl: string;
  /** With a trailing slash. */
  readonly issuer: string;
  readonly client: DemoClient;
  /** The file to upload. */
  readonly picture: string;
}

const AUTHORIZED = `-H "Authorization: Bearer $TOKEN"`;

/** The main job as shell lines to paste: they need a POSIX shell, `curl`, `sed` and `cmp`, and build on each other in order. */
export function walkThrough({ serviceUrl, issuer, client, picture }: WalkThrough): string {
  const images = `${serviceUrl}api/images`;
  const image = `"${serviceUrl}api/image/$ID"`;
  const steps: readonly (readonly [string, ...string[]])[] = [
    ['Without a token there is nothing to see (401):', `curl -sSi ${images}; echo`],
    [
      'Get a token, good for an hour:',
      `TOKEN=$(${tokenRequest(issuer, client)} | sed -n 's/.*"access_token":"\\([^"]*\\)".*/\\1/p')`,
    ],
    [
      'Upload the sample cat (its record, and 201):',
      `RECORD=$(curl -sS -w '\\n%{http_code}' ${AUTHORIZED} -F ${shellQuote(`file=@${curlQuote(picture)}`)} ${serviceUrl}api/upload); echo "$RECORD"`,
      `ID=$(echo "$RECORD" | sed -n 's/.*"id":\\([0-9]*\\).*/\\1/p')`,
    ],
    ['List the catalog:', `curl -sS ${AUTHORIZED} ${images}; echo`],
    ['Fetch the record:', `curl -sS ${AUTHORIZED} ${image}; echo`],
    [
      'Fetch the bytes; they are exactly those of the file:',
      `curl -sS ${AUTHORIZED} "${serviceUrl}api/image/$ID/file" | cmp - ${shellQuote(picture)} && echo the same bytes`,
    ],
    [
      'Delete the image (204); after that it is gone (404):',
      `curl -sSi -X DELETE ${AUTHORIZED} ${image}`,
      `curl -sSi ${AUTHORIZED} ${image}; echo`,
    ],
  ];
  return steps.map(([title, ...lines]) => [`# ${title}`, ...lines].join('\n')).join('\n\n');
}

function tokenRequest(issuer: string, { clientId, clientSecret, audience }: DemoClient): string {
  const body = JSON.stringify({
    client_id: clientId,
    client_secret: clientSecret,
    audience,
    grant_type: 'client_credentials',
  });
  return `curl -sS -H 'Content-Type: application/json' -d ${shellQuote(body)} ${issuer}oauth/token`;
}

/** Folders may have any name: for the shell, one word without surprises. */
function shellQuote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** For curl's `-F`, `,` and `;` end a file name that is not in double quotes. */
function curlQuote(path: string): string {
  return /[,;"\\]/.test(path) ? `"${path.replaceAll(/["\\]/g, '\\$&')}"` : path;
}
