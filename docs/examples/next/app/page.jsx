import { thumbhashDataUrl } from '@image-catalog/client';
import Image from 'next/image';
import { listPictures } from '../catalog.js';

export const dynamic = 'force-dynamic'; // Lists the names for each request, not once in the build.

export default async function Page() {
  const pictures = await listPictures();
  return (
    <main>
      <form action="/upload" method="post" encType="multipart/form-data">
        <label>
          Name <input name="name" required pattern="[\w\-][\w.\-]*" maxLength={128} />
        </label>{' '}
        <label>
          Picture <input type="file" name="file" accept="image/*" required />
        </label>{' '}
        <button>Publish</button>
      </form>
      <ul>
        {pictures.map(({ name, record }) => (
          <li key={name.name}>
            <Image
              src={name.url}
              width={record.width}
              height={record.height}
              sizes="320px"
              alt={record.alt ?? record.title ?? 'A picture'}
              placeholder={thumbhashDataUrl(record)}
            />
          </li>
        ))}
      </ul>
    </main>
  );
}
