import { formatOf } from '../../../domain/image/format-of.ts';
import type { HttpSettings } from '../route/http-settings.ts';

/** `/config.json`: what the pages need to know of the service. */
export function publicSettings(settings: HttpSettings, apiUrl: string): object {
  const { idp, web, scopes, timeZone, upload, readOnly, trashDays, renditions, publishNames } = settings;
  return {
    apiUrl,
    issuer: idp.issuer,
    clientId: web.clientId ?? null,
    audience: idp.audience,
    scope: web.scope,
    resource: web.resource ?? null,
    timeZone,
    uploadMaxBytes: upload.maxBytes,
    inputFormats: upload.acceptedTypes.map(formatOf),
    readOnly,
    scopes: {
      read: scopes.read ?? null,
      write: scopes.write ?? null,
      delete: scopes.delete ?? null,
      publish: scopes.publish ?? null,
    },
    publishNames,
    trashDays,
    prerender: renditions.prerendered.map(({ width, format }) => `${width}:${format}`),
    title: web.title ?? null,
  };
}
