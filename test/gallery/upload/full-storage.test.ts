import { makePictures } from '../support/gallery-pictures.ts';
import { describeVisits, gallery, signIn } from '../support/visits.ts';

const FULL = {
  status: 503,
  headers: {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': 'Retry-After, X-Request-Id',
    'Retry-After': '1',
    'X-Request-Id': 'request-17',
  },
  json: { code: 'storage_unavailable', message: 'The storage is unavailable' },
};

describeVisits('a catalog whose storage is full', {}, () => {
  it('says so to the person and to the operator, and takes the picture when there is room', async () => {
    await signIn();
    gallery.watch.expectFault(/status of 503/);
    await gallery.page.route('**/api/upload', (route) => route.fulfill(FULL));

    await gallery.upload(await makePictures(1));

    await gallery.uploads.getByText(/^The catalog cannot store pictures at present/).waitFor();
    await gallery.uploads.getByText('storage_unavailable, request request-17').waitFor();
    await gallery.page.unroute('**/api/upload');
    await gallery.expectUploads('1 uploaded');
  });
});
