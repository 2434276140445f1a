import { thumbhashDataUrl } from '@image-catalog/client';
import { publicSrcset, publicUrl } from '@image-catalog/client/public';

/** A published name and the record of its image: the browser chooses the width, and the service the format. */
export function Picture({ name, record }) {
  return (
    <img
      src={publicUrl(name, { width: 640, format: 'auto' })}
      srcSet={publicSrcset(name, record, { format: 'auto' })}
      sizes="320px"
      width={record.width}
      height={record.height}
      alt={record.alt ?? record.title ?? 'A picture'}
      style={{ backgroundImage: `url(${thumbhashDataUrl(record)})` }}
      onLoad={({ target }) => target.style.removeProperty('background-image')}
    />
  );
}
