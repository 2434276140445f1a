import { images } from './catalog.js';

/** The published names with the records of their images. */
export async function listPictures() {
  const pictures = [];
  for await (const name of images.listNames({ public: true }))
    pictures.push({ name, record: await images.get(name.id) });
  return pictures;
}

/** Uploads a file, and points the name to it: pages that show the name show the new picture. */
export async function publish(form) {
  const setName = { name: form.get('name'), public: true };
  await images.upload(form.get('file'), { setName });
}
