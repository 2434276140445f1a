import { images } from './catalog.js';

/** The published names with the records of their images. */
export async function listPictures() {
  const pictures = [];
  for await (const name of images.listNames({ public: true })) {
    const record = await images.get(name.id).catch((error) => {
      if (error.code !== 'image_not_found') throw error; // Deleted since its name was listed: leave it out.
    });
    if (record !== undefined) pictures.push({ name, record });
  }
  return pictures;
}

/** Uploads a file, points the name to it, and empties the form: pages that show the name show the new picture. */
export async function publish(form) {
  const fields = new FormData(form);
  const setName = { name: fields.get('name'), public: true };
  await images.upload(fields.get('file'), { setName });
  form.reset();
}
