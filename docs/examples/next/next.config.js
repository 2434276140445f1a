/** @type {import('next').NextConfig} */
export default { images: { loader: 'custom', loaderFile: './image-loader.js' } };
