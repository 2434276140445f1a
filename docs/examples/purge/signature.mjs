import { createHmac, timingSafeEqual } from 'node:crypto';

/** Older messages may be repeated by an attacker. */
const TOLERANCE_SECONDS = 300;

/**
 * Standard Webhooks 1.0, "Verifying signatures".
 *
 * @param headers of the request, in lower case
 * @param body the bytes as they came
 * @param secrets each of them `whsec_` and base64
 */
export function isSigned(headers, body, secrets, now = Date.now()) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers;
  const isRecent = Math.abs(now / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS;
  return isRecent && secrets.some((secret) => fits(`${id}.${timestamp}.`, body, secret, signatures));
}

function fits(start, body, secret, signatures) {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const expected = createHmac('sha256', key).update(start).update(body).digest();
  return signatures.split(' ').some((signature) => {
    const [version, mac = ''] = signature.split(',');
    const given = Buffer.from(mac, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}
