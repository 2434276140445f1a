/** One part of a form, with its header lines as sent. */
export interface Part {
  readonly headers: readonly string[];
  readonly body: string | Uint8Array;
}

export const BOUNDARY = 'a-boundary-of-the-tests';

/** The `Content-Type` of a form made by `multipart`. */
export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

/** A form of any parts, including malformed ones (RFC 7578). */
export function multipart(parts: readonly Part[]): Buffer {
  return Buffer.concat([openMultipart(parts), Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

/** A form without its end. */
export function openMultipart(parts: readonly Part[]): Buffer {
  return Buffer.concat(
    parts.map(({ headers, body }) =>
      Buffer.concat([
        Buffer.from(`--${BOUNDARY}\r\n${headers.map((line) => `${line}\r\n`).join('')}\r\n`),
        Buffer.from(body),
        Buffer.from('\r\n'),
      ]),
    ),
  );
}

/** @param name of the field; `filename` is put between the quotes unchanged */
export function filePart(bytes: Uint8Array, filename = 'cat.png', name = 'file'): Part {
  return partWith(`form-data; name="${name}"; filename="${filename}"`, bytes);
}

/** A file part with any `Content-Disposition`. */
export function partWith(disposition: string, body: string | Uint8Array): Part {
  return { headers: [`Content-Disposition: ${disposition}`, 'Content-Type: image/png'], body };
}

export function fieldPart(name: string, value: string): Part {
  return { headers: [`Content-Disposition: form-data; name="${name}"`], body: value };
}
